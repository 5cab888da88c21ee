/// How much a workspace needs a hand, the worst first.
package enum StatusNeed: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing that lives is served: expired, or nothing at all.
    case dark
    /// Something is served that no device takes, or nobody can say.
    case corrupt
    /// Less is served than was seen served, or another content under the number.
    case rolledBack
    /// Less than a quarter of the life is left.
    case expiring
    /// Devices are well, and something else in the store is wrong.
    case alarm
    /// It is time to sign again; nothing is wrong.
    case due
    case fine

    /// What a reader is told first.
    package enum Group: Sendable, Hashable {
        case needsAHand, due, fine
    }

    package var group: Group {
        switch self {
        case .dark, .corrupt, .rolledBack, .expiring, .alarm: .needsAHand
        case .due: .due
        case .fine: .fine
        }
    }

    /// The word in JSON and metrics.
    package var word: String {
        switch self {
        case .dark: "dark"
        case .corrupt: "corrupt"
        case .rolledBack: "rolled-back"
        case .expiring: "expiring"
        case .alarm: "alarm"
        case .due: "due"
        case .fine: "fine"
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What is served for a workspace, in one word.
package enum ServedState: String, Sendable, Hashable, CaseIterable {
    case fine = "ok"
    case expiring
    case expired
    case missing
    case untrusted
    case refused
    case rolledBack = "rolled-back"
    case otherContent = "other-content"
    case bundleOnly = "bundle-only"
    /// The workspace cannot be looked at, such as for want of a keyring.
    case unreadable

    /// What it asks for by itself; `fine` where only alarms or the time to renew say more.
    package var need: StatusNeed {
        switch self {
        case .expired, .missing: .dark
        case .untrusted, .refused, .unreadable: .corrupt
        case .rolledBack, .otherContent: .rolledBack
        case .expiring: .expiring
        case .fine, .bundleOnly: .fine
        }
    }
}
