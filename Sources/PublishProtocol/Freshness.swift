package import GronaFormats

/// When a served config is to be signed again, and from when on it is late.
///
/// A 304 does not extend `expires_at` (signed-configuration: Refresh), so what nobody signs again
/// ends on every device at the same second.
package struct Freshness: Hashable, Sendable {
    /// Below this part of its lifetime a served config is an alarm: a quarter.
    package static let quarters: Int64 = 4
    /// The most by which one workspace is due before another with the same times: a sixteenth of
    /// the lifetime, so that what was published together is not due together for ever.
    package static let jitterParts: Int64 = 16
    /// Waiting never takes more than this part of what is left: a twentieth.
    package static let waitParts: Int64 = 20

    package let issuedAt: UnixTime
    /// From this second on no device takes it.
    package let expiresAt: UnixTime
    /// Remaining life at which it is due, at most the whole lifetime.
    package let renewalPoint: DurationSeconds
    /// From this second on it is time to sign again.
    package let dueAt: UnixTime
    /// The last second with a whole quarter of the life left.
    package let quarterAt: UnixTime

    /// Why it is time to sign again.
    package enum Reason: String, Sendable, Hashable {
        /// The renewal point is past.
        case life
        /// It was signed by a key that is not current any more.
        case key
    }

    /// - Parameters:
    ///   - within: remaining life at which this run signs again; nil for what the policy says.
    ///   - renewBefore: what the policy says; nil for half of the lifetime.
    package init(
        of workspace: WorkspaceName, issuedAt: UnixTime, expiresAt: UnixTime,
        within: DurationSeconds? = nil, renewBefore: DurationSeconds?
    ) {
        let lifetime = max(0, expiresAt.since(issuedAt).seconds)
        let point = min(max(0, (within ?? renewBefore)?.seconds ?? lifetime / 2), lifetime)
        // What was just signed is never due by the jitter alone.
        let jitter = min(Self.jitter(of: workspace, lifetime: lifetime), (lifetime - point) / 2)
        self.init(
            issuedAt: issuedAt, expiresAt: expiresAt,
            renewalPoint: DurationSeconds(point + jitter))
    }

    /// Takes the renewal point as it is, without jitter.
    package init(issuedAt: UnixTime, expiresAt: UnixTime, renewalPoint: DurationSeconds) {
        let lifetime = max(0, expiresAt.since(issuedAt).seconds)
        let point = min(max(0, renewalPoint.seconds), lifetime)
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.renewalPoint = DurationSeconds(point)
        dueAt = expiresAt.subtracting(DurationSeconds(point)) ?? issuedAt
        quarterAt = expiresAt.subtracting(DurationSeconds(lifetime / Self.quarters)) ?? issuedAt
    }

    /// Nil where it is not yet time to sign again.
    ///
    /// - Parameter signer: the state of the key that signed it; nil where nobody knows.
    package func due(at now: UnixTime, signer: KeyState?) -> Reason? {
        if now >= dueAt { return .life }
        return signer.map(Self.hasHandedOver) ?? false ? .key : nil
    }

    /// Whether no device takes it any more.
    package func isOver(at now: UnixTime) -> Bool { now >= expiresAt }

    /// Whether less than a quarter of the lifetime is left.
    package func isLate(at now: UnixTime) -> Bool { now > quarterAt }

    /// What is left, negative when it is over.
    package func left(at now: UnixTime) -> DurationSeconds { expiresAt.since(now) }

    /// The longest that a run may wait before it tries again; zero where nothing is left.
    package func longestWait(at now: UnixTime) -> DurationSeconds {
        DurationSeconds(max(0, left(at: now).seconds) / Self.waitParts)
    }

    /// Whether a key was current once and is not any more; one that is still to come signs early
    /// where the signer's keyring is newer than ours.
    package static func hasHandedOver(_ state: KeyState) -> Bool {
        switch state {
        case .retiring, .retired, .destroyed, .compromised: true
        case .current, .standby, .announced, .generated: false
        }
    }

    /// How much earlier a workspace is due than another one, in seconds: the same part of the
    /// lifetime for ever, from 0 to a sixteenth.
    static func jitter(of workspace: WorkspaceName, lifetime: Int64) -> Int64 {
        // FNV-1a, with the last steps of MurmurHash3 since the high bits decide.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in workspace.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        let largest = UInt64(max(0, lifetime) / jitterParts)
        return Int64(hash.multipliedFullWidth(by: largest + 1).high)
    }
}
