/// When a renewal may expire earlier than what it renews.
package enum ExpiryRule: Hashable, Sendable {
    /// Never.
    case notEarlier
    /// A person asked for it.
    case mayShorten
    /// As far as the policy became shorter: down to the given lifetime in seconds, when that is
    /// less than the lifetime of the source.
    case policy(lifetime: Int64)
}
