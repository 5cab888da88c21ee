internal import GronaFormats
internal import StrictJSON

/// `renew_before`: the remaining life at which a config is signed again, and whether people
/// would have the time to repair what stops that (signed-configuration: Freeze protection).
enum RenewBeforeRule {
    /// The period of the timer that renews: half an hour.
    static let timerPeriod: Int64 = 1_800
    /// The longest that an edge may keep a copy.
    static let cacheAge: Int64 = 300
    /// What people get to notice and repair: 96 hours.
    static let repairTime: Int64 = 345_600

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
        // All are bounded, the largest by 400 days: their sum is far from overflowing.
        let needed = timerPeriod + cacheAge + ttl + repairTime
        if point < needed {
            findings.add(
                .workspaceUnoperable, .warning, at: place,
                .unoperable(renewBefore: point, needed: needed))
        }
    }
}
