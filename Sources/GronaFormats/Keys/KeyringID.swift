/// The random name of a keyring, below which its state lies: 32 lower-case hexadecimal digits.
package struct KeyringID: Sendable, Hashable, CustomStringConvertible {
    package static let byteCount = 16

    package let text: String

    /// Nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 2 * Self.byteCount, text.utf8.allSatisfy(ASCII.isLowercaseHex)
        else { return nil }
        self.text = text
    }

    /// Nil for another number of bytes than 16; they come from the system's random source.
    package init?(randomBytes bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        self.text = String(decoding: text, as: UTF8.self)
    }

    package var description: String { text }
}
