/// What a key signs; a key never serves both.
///
/// Source: signed-configuration: Pinned keys; offers-and-grants: The grant token.
package enum KeyUse: String, Sendable, Hashable, CaseIterable {
    /// Configs, bundles and preview pins.
    case config
    /// Grants.
    case grant
}
