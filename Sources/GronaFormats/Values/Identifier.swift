/// The id of a campaign, variant, treatment type, placement or nonce: `[A-Za-z0-9._:-]{1,128}`.
///
/// Source: offers-and-grants: The grant token.
package struct Identifier: Hashable, Sendable, Comparable, CustomStringConvertible {
    package static let maximumLength = 128

    package let text: String

    /// Nil for anything that does not match the pattern.
    package init?(_ text: String) {
        var length = 0
        for byte in text.utf8 {
            guard Self.isAllowed(byte) else { return nil }
            length += 1
        }
        guard length >= 1, length <= Self.maximumLength else { return nil }
        self.text = text
    }

    package init?(utf8 bytes: [UInt8]) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    package static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"): true
        default: ASCII.isLetter(byte) || ASCII.isDigit(byte)
        }
    }

    package var description: String { text }

    /// The order of the bytes, as in a sorted payload.
    package static func < (left: Identifier, right: Identifier) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
