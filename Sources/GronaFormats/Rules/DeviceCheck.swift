/// The rows of what an SDK checks, in its order.
///
/// Source: signed-configuration: What the SDK checks.
package enum DeviceCheck: String, Sendable, Hashable, CaseIterable {
    case size
    case envelope
    case header
    case kid
    case signature
    case payload
    case workspace
    case schema
    case version
    case times
    case expired
    case ttl
    case minSDK = "min-sdk"

    /// Whether a config that fails here alone marks the running one as superseded
    /// (signed-configuration: Configurations that need a newer SDK).
    package var supersedes: Bool {
        self == .schema || self == .minSDK
    }
}
