/// How much a finding weighs.
package enum Severity: String, Sendable, Hashable {
    /// Nothing is compiled or signed while one stands.
    case error

    /// Said, and otherwise accepted; an error when checking strictly.
    case warning
}
