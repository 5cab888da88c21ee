package import GronaFormats

/// The life of a served config: when it was signed, when it is due, when it gets late, when it ends.
package struct ConfigLife: Sendable, Hashable {
    /// The share of its lifetime below which a served config is an alarm: a quarter.
    private static let quarters: Int64 = 4

    package let issuedAt: UnixTime
    /// From this second on it is time to sign again.
    package let dueAt: UnixTime
    /// The last second with a whole quarter of the life left.
    package let quarterAt: UnixTime
    /// From this second on no device takes it.
    package let expiresAt: UnixTime

    package enum Phase: Sendable, Hashable, CaseIterable {
        case fresh, due, expiring, expired
    }

    /// - Parameter renewalPoint: remaining life at which the config is signed again.
    package init(issuedAt: UnixTime, expiresAt: UnixTime, renewalPoint: DurationSeconds) {
        let lifetime = max(0, expiresAt.since(issuedAt).seconds)
        func point(_ left: Int64) -> UnixTime {
            expiresAt.subtracting(DurationSeconds(min(max(0, left), lifetime))) ?? issuedAt
        }
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        dueAt = point(renewalPoint.seconds)
        quarterAt = point(lifetime / Self.quarters)
    }

    package func phase(at now: UnixTime) -> Phase {
        if now >= expiresAt { return .expired }
        if now > quarterAt { return .expiring }
        return now >= dueAt ? .due : .fresh
    }

    /// What is left, negative when it is over.
    package func left(at now: UnixTime) -> DurationSeconds { expiresAt.since(now) }

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
