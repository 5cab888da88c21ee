import Transitions

extension Refusal {
    /// The stable code of the rule.
    package var code: String {
        switch self {
        case .device(let code): code
        case .versionNotAbove: "version.not-above"
        case .versionTaken: "version.taken"
        case .versionJump: "version.jump"
        case .versionsExhausted: "version.exhausted"
        case .otherContent: "served.other-content"
        case .farServed: "served.far"
        case .contentUnknown: "served.content-unknown"
        case .notAFile: FoundDocument.notAFile
        case .isBundle: "push.bundle"
        case .unexpectedServed: "served.unexpected"
        case .aged: "push.aged"
        case .demo: "settings.demo"
        case .bundleOnly: "delivery.bundle-only"
        case .transition(let violation): violation.code
        case .bundleAboveServed: "bundle.above-served"
        case .bundleStale: "bundle.stale"
        case .bundleKey: "bundle.kid"
        case .bundleUntrusted: "bundle.untrusted"
        case .warned(let code): code
        case .bundleLifetime: "bundle.lifetime"
        case .servedUnusable: "bundle.source"
        case .noBase(let code): code == nil ? "served.missing" : "served.unusable"
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
    /// The number it is about, for an order among those of one code; 0 for none.
    package var number: Int64 {
        switch self {
        case .otherContent(let number), .farServed(let number, _), .farClaim(let number, _),
            .junkClaim(let number):
            number
        case .rolledBack, .servedUnusable, .junkBundle: 0
        }
    }

    /// The name it is about, for the same; empty for none.
    package var name: String {
        if case .junkBundle(let name) = self { name } else { "" }
    }

    /// The stable code of the alarm.
    package var code: String {
        switch self {
        case .rolledBack: "served.rolled-back"
        case .servedUnusable: "served.unusable"
        case .otherContent: "served.other-content"
        case .farServed: "served.far"
        case .farClaim: "claim.far"
        case .junkClaim: "claim.untrusted"
        case .junkBundle: "bundle.untrusted"
        }
    }
}
