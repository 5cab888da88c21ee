/// A value to be written.
package indirect enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    /// Written with all its digits; what must be I-JSON stays within ±(2^53-1).
    case integer(Int64)
    /// What is not finite is written as `null`, as ECMAScript's JSON.stringify does.
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// Of two members of one name the later is written.
    case object([(String, JSONValue)])
    /// A value that was read, whatever its document.
    case element(JSONElement)

    /// Its canonical form (RFC 8785).
    package func canonical() -> [UInt8] {
        CanonicalValues(self).output
    }
}
