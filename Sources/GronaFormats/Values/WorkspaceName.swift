/// The workspace key of a customer's app, which is also a folder's name here:
/// `[a-z0-9][a-z0-9-]{0,62}`, and not `schema`, beside which the JSON Schemas stand.
///
/// Source of the meaning: signed-configuration: The workspace check.
package struct WorkspaceName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package static let maximumLength = 63
    /// The folder of the JSON Schemas below a campaigns folder.
    package static let reserved = "schema"

    package let text: String

    /// Nil for anything that does not match the pattern.
    package init?(_ text: String) {
        var length = 0
        for byte in text.utf8 {
            let isDash = byte == UInt8(ascii: "-")
            guard ASCII.isDigit(byte) || ASCII.isLowercaseLetter(byte) || (isDash && length > 0)
            else { return nil }
            length += 1
        }
        guard length >= 1, length <= Self.maximumLength, text != Self.reserved else { return nil }
        self.text = text
    }

    package var description: String { text }

    package static func < (left: WorkspaceName, right: WorkspaceName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
