package import GronaFormats
package import PublishProtocol

/// What is known of one workspace, as values to be shown.
package struct WorkspacePicture: Sendable {
    package var workspace: WorkspaceName
    package var state: ServedState
    package var delivery: ConfigDelivery = .served
    /// The version that is served; nil where it is none of ours.
    package var version: Int64?
    /// The lowest free number; nil where none is left or nobody knows.
    package var nextVersion: Int64?
    package var kid: String?
    package var life: ConfigLife?
    /// SHA-256 of the payload that is served, in hexadecimal digits.
    package var digest: String?
    /// The store's name, for the commands to run next.
    package var store = ""
    /// What needs a hand, the worst first.
    package var findings: [StatusFinding] = []
    /// The codes of what needs a hand, each once.
    package var alarms: [String] = []
    /// What the store holds for app releases, the newest first.
    package var bundles: [StatusBundle] = []
    /// The last versions that were claimed, the newest first; empty where nobody asked.
    package var versions: [StatusVersion] = []
    /// The keys of the keyring, or the pins, by what they are for.
    package var keys: [StatusKey] = []

    package init(_ workspace: WorkspaceName, _ state: ServedState) {
        self.workspace = workspace
        self.state = state
    }

    /// How much it needs a hand.
    package func need(at now: UnixTime) -> StatusNeed {
        let own = state.need
        if own != .fine { return own }
        if !alarms.isEmpty { return .alarm }
        return state == .fine && due(at: now) != nil ? .due : .fine
    }

    package typealias DueReason = Freshness.Reason

    /// Nil where it is not yet time to sign again.
    package func due(at now: UnixTime) -> DueReason? {
        guard delivery == .served, let life else { return nil }
        let signer = keys.first { $0.use == .config && $0.signed(kid) }
        return life.freshness.due(at: now, signer: signer?.state)
    }

    /// The stretch of time on which served config and bundles are drawn.
    package func axis(now: UnixTime) -> TimeAxis {
        let served = life.map { [$0.issuedAt, $0.expiresAt] } ?? []
        let bundles = bundles.flatMap { [$0.issuedAt, $0.expiresAt].compactMap(\.self) }
        return TimeAxis(showing: served, and: bundles, now: now)
    }
}
