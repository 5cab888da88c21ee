internal import GronaFormats
internal import StrictJSON

/// `lifetimes`: at least a second, at most what an SDK or an order backend takes
/// (signed-configuration: What the SDK checks, `expires_at`; offers-and-grants: The grant token,
/// `exp`) or what keeps a bundle with offers short (signed-configuration: The bundled
/// configuration).
enum LifetimesRule {
    /// The lifetimes that the file spells out, and the standard ones for the others.
    static func read(_ workspace: JSONElement, _ findings: inout Findings) -> Lifetimes {
        var read = Lifetimes()
        guard let element = workspace["lifetimes"],
            let lifetimes = findings.object(element, .workspaceLifetimes)
        else { return read }
        findings.unknownMembers(
            of: lifetimes, known: LifetimeKind.allCases.map(\.rawValue), .workspaceMember)
        for kind in LifetimeKind.allCases {
            guard let value = lifetimes[kind.rawValue],
                let seconds = findings.duration(value, .workspaceLifetimes)
            else { continue }
            if (1...kind.cap.seconds).contains(seconds) {
                read[kind] = DurationSeconds(seconds)
            } else {
                findings.add(
                    rule(of: kind), at: value,
                    .lifetime(found: seconds, atMost: kind.cap.seconds))
            }
        }
        return read
    }

    /// The code of a lifetime that is too long, the one with which a signer refuses it.
    private static func rule(of kind: LifetimeKind) -> RuleCode {
        switch kind {
        case .config: .payloadLifetime
        case .bundle, .bundleWithOffers: .bundleLifetime
        case .grant: .grantLifetime
        case .preview: .previewLifetime
        }
    }
}
