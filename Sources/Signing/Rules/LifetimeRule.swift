package import GronaFormats

/// How long something is asked to live.
package enum LifetimeRequest: Hashable, Sendable {
    /// As long as the policy says.
    case standard
    case lifetime(DurationSeconds)
    case until(UnixTime)
}

/// When a document ends: what was asked for, never more than the policy, never outside of what a
/// device takes (signed-configuration: Time values).
package struct LifetimeRule: Hashable, Sendable {
    package let kind: LifetimeKind
    /// What holds when nothing is asked for.
    package let standard: DurationSeconds
    /// What no request goes beyond.
    package let cap: DurationSeconds

    package init(_ kind: LifetimeKind, standard: DurationSeconds, cap: DurationSeconds) {
        self.kind = kind
        self.standard = standard
        self.cap = min(cap, kind.cap)
    }

    /// The policy's value is both.
    package init(_ kind: LifetimeKind, of policy: WorkspacePolicy) {
        let value = policy.lifetimes[kind]
        self.init(kind, standard: value, cap: value)
    }

    package func expiry(
        _ request: LifetimeRequest, from issuedAt: UnixTime, now: UnixTime
    ) throws(SigningError) -> UnixTime {
        let lifetime =
            switch request {
            case .standard: min(standard, cap)
            case .lifetime(let asked): asked
            case .until(let time): time.since(issuedAt)
            }
        guard lifetime.seconds > 0 else { throw .time(.lifetimeNotPositive(kind)) }
        guard lifetime <= cap, let end = issuedAt.adding(lifetime) else {
            throw .time(.lifetimeTooLong(kind, lifetime, cap: cap))
        }
        guard end > now else { throw .time(.alreadyExpired(end, now: now)) }
        return end
    }
}
