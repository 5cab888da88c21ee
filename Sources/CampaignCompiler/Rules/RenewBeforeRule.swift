internal import GronaFormats
internal import StrictJSON

/// `renew_before`: the remaining life at which a config is signed again, and whether people
/// would have the time to repair what stops that (signed-configuration: Freeze protection).
enum RenewBeforeRule {
    static func read(_ workspace: JSONElement, _ findings: inout Findings) -> DurationSeconds? {
        guard let element = workspace["renew_before"],
            let seconds = findings.duration(element, .workspaceRenewBefore)
        else { return nil }
        let limit = Limits.configLifetime.seconds
        guard (1...limit).contains(seconds) else {
            findings.add(
                .workspaceRenewBefore, at: element, .lifetime(found: seconds, atMost: limit))
            return nil
        }
        return DurationSeconds(seconds)
    }

    /// The warnings about a renewal point, at the member that decides it.
    static func judge(
        _ renewBefore: DurationSeconds?, _ config: DurationSeconds, ttl: Int64,
        _ workspace: JSONElement, _ findings: inout Findings
    ) {
        let lifetime = config.seconds
        let point = renewBefore?.seconds ?? lifetime / 2
        let place =
            workspace["renew_before"] ?? workspace["lifetimes"]?["config"] ?? workspace
        if point >= lifetime {
            findings.add(
                .workspaceAlwaysDue, .warning, at: place,
                .alwaysDue(renewBefore: point, lifetime: lifetime))
        }
        let budget = ExpiryBudget(renewalPoint: point, fetchPause: ttl)
        if !budget.isOperable {
            findings.add(
                .workspaceUnoperable, .warning, at: place,
                .unoperable(
                    renewBefore: point, needed: budget.needed, lifetime: lifetime,
                    isDeclared: renewBefore != nil))
        }
    }
}
