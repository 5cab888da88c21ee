package import GronaFormats

/// When a document says that it was issued (signed-configuration: Time values).
package enum IssueTimeRule {
    /// - Parameter asked: what a person gave; only for a config, all else is issued now.
    package static func issuedAt(
        _ asked: UnixTime? = nil, now: UnixTime
    ) throws(SigningError) -> UnixTime {
        guard now.isWithinBounds else { throw .time(.clockOutOfBounds(now)) }
        guard let asked else { return now }
        guard asked.isWithinBounds else { throw .time(.issuedAtOutOfBounds(asked)) }
        guard asked.since(now) <= Limits.clockSkew else {
            throw .time(.issuedAtAhead(asked, now: now))
        }
        return asked
    }
}
