import Transitions

extension Refusal {
    /// The stable code of the rule.
    package var code: String {
        switch self {
        case .device(let code): code
        case .versionNotAbove: "version.not-above"
        case .versionTaken: "version.taken"
        case .versionJump: "version.jump"
        case .unexpectedServed: "served.unexpected"
        case .aged: "push.aged"
        case .demo: "settings.demo"
        case .bundleOnly: "delivery.bundle-only"
        case .transition(let violation): violation.code
        case .bundleAboveServed: "bundle.above-served"
        case .bundleStale: "bundle.stale"
        case .bundleKey: "bundle.kid"
        case .bundleLifetime: "bundle.lifetime"
        case .servedUnusable: "bundle.source"
        case .rolledBack: "served.rolled-back"
        }
    }
}

extension Breach {
    /// The stable code of what the store did.
    package var code: String {
        switch self {
        case .otherContent: "served.other-content"
        case .unusable(_, let code): code
        case .rolledBack: "served.rolled-back"
        case .bundleTaken: "bundle.taken"
        }
    }
}

extension Alarm {
    /// The stable code of the alarm.
    package var code: String {
        switch self {
        case .rolledBack: "served.rolled-back"
        case .servedUnusable: "served.unusable"
        case .junkClaim: "claim.untrusted"
        case .junkBundle: "bundle.untrusted"
        }
    }
}
