/// How a config reached an install.
///
/// Source: signed-configuration: Refresh, The bundled configuration.
package enum Channel: String, Sendable, Hashable, CaseIterable {
    /// From the config URL.
    case remote
    /// From inside the app.
    case bundle
}
