package import StrictJSON

/// One value that differs between two documents.
package struct ValueChange: Sendable {
    /// RFC 6901, from the campaign or, for members at the top, from the payload; in the new
    /// document where the value is in both.
    package let pointer: String

    /// Nil where only the new document has it.
    package let old: JSONElement?

    /// Nil where only the old document has it.
    package let new: JSONElement?
}
