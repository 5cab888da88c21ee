/// The beginning of an address that is no path (RFC 3986 3.1).
enum AddressScheme {
    /// A letter, then letters, digits, `+`, `-` and `.`, then a colon.
    static func isAddress(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, isLetter(first), let end = bytes.firstIndex(of: 0x3A) else {
            return false
        }
        return bytes[..<end].allSatisfy {
            isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }
}
