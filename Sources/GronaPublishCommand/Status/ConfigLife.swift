package import GronaFormats
package import PublishProtocol

/// The life of a served config: when it was signed, when it is due, when it gets late, when it ends.
package struct ConfigLife: Sendable, Hashable {
    package let freshness: Freshness

    package var issuedAt: UnixTime { freshness.issuedAt }
    /// From this second on it is time to sign again.
    package var dueAt: UnixTime { freshness.dueAt }
    /// The last second with a whole quarter of the life left.
    package var quarterAt: UnixTime { freshness.quarterAt }
    /// From this second on no device takes it.
    package var expiresAt: UnixTime { freshness.expiresAt }

    package enum Phase: Sendable, Hashable, CaseIterable {
        case fresh, due, expiring, expired
    }

    package init(_ freshness: Freshness) {
        self.freshness = freshness
    }

    /// - Parameter renewalPoint: remaining life at which the config is signed again.
    package init(issuedAt: UnixTime, expiresAt: UnixTime, renewalPoint: DurationSeconds) {
        self.init(
            Freshness(issuedAt: issuedAt, expiresAt: expiresAt, renewalPoint: renewalPoint))
    }

    package func phase(at now: UnixTime) -> Phase {
        if freshness.isOver(at: now) { return .expired }
        if freshness.isLate(at: now) { return .expiring }
        return now >= dueAt ? .due : .fresh
    }

    /// What is left, negative when it is over.
    package func left(at now: UnixTime) -> DurationSeconds { freshness.left(at: now) }

    /// Its parts in order: until it is due, until a quarter is left, and the last quarter.
    package var parts: [(phase: Phase, from: UnixTime, to: UnixTime)] {
        let late = max(dueAt, quarterAt)
        let first = min(dueAt, quarterAt)
        return [
            (.fresh, issuedAt, first),
            (.due, first, dueAt < quarterAt ? late : first),
            (.expiring, quarterAt, expiresAt),
        ].filter { $0.1 < $0.2 }
    }
}
