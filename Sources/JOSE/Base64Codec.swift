/// The work that base64 and base64url share (RFC 4648, 4 and 5): they differ in two characters and
/// in padding.
struct Base64Codec: Sendable {
    /// The character of each value of 6 bits.
    private let characters: [UInt8]
    /// The value of each byte as a character; 0xFF where it is none.
    private let values: [UInt8]
    private let padded: Bool

    init(last two: String, padded: Bool) {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        characters = Array((letters + two).utf8)
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in characters.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        self.values = values
        self.padded = padded
    }

    func encode(_ bytes: Span<UInt8>) -> [UInt8] {
        let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        let tail = rest == 0 ? 0 : padded ? 4 : rest + 1
        let characters = characters.span
        return [UInt8](capacity: 4 * groups + tail) { text in
            func append(_ value: UInt32) {
                text.append(characters[Int(value & 63)])
            }
            var index = 0
            for _ in 0..<groups {
                let group =
                    UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8
                    | UInt32(bytes[index + 2])
                append(group >> 18)
                append(group >> 12)
                append(group >> 6)
                append(group)
                index += 3
            }
            guard rest > 0 else { return }
            let second = rest == 2 ? UInt32(bytes[index + 1]) : 0
            let group = UInt32(bytes[index]) << 16 | second << 8
            append(group >> 18)
            append(group >> 12)
            if rest == 2 { append(group >> 6) }
            guard padded else { return }
            for _ in 0..<(3 - rest) { text.append(UInt8(ascii: "=")) }
        }
    }

    /// `nil` for every text that `encode` does not write.
    func decode(_ text: Span<UInt8>) -> [UInt8]? {
        var count = text.count
        if padded {
            guard count % 4 == 0 else { return nil }
            for _ in 0..<2 where count > 0 && text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        }
        let (groups, rest) = count.quotientAndRemainder(dividingBy: 4)
        // One character alone holds no whole byte.
        guard rest != 1 else { return nil }
        let values = values.span
        // Bit 7 of a value is set only where a character is none of the alphabet.
        var bad: UInt8 = 0
        let bytes = [UInt8](capacity: 3 * groups + max(rest - 1, 0)) { bytes in
            var index = 0
            for _ in 0..<groups {
                let first = values[Int(text[index])]
                let second = values[Int(text[index + 1])]
                let third = values[Int(text[index + 2])]
                let fourth = values[Int(text[index + 3])]
                bad |= first | second | third | fourth
                bytes.append(first << 2 | second >> 4 & 3)
                bytes.append(second << 4 | third >> 2 & 15)
                bytes.append(third << 6 | fourth & 63)
                index += 4
            }
            guard rest > 0 else { return }
            let first = values[Int(text[index])]
            let second = values[Int(text[index + 1])]
            let third = rest == 3 ? values[Int(text[index + 2])] : 0
            bad |= first | second | third
            bytes.append(first << 2 | second >> 4 & 3)
            if rest == 3 { bytes.append(second << 4 | third >> 2 & 15) }
            // Bits that belong to no byte are zero: one text for each value.
            if rest == 3 ? third & 3 != 0 : second & 15 != 0 { bad = 0x80 }
        }
        return bad & 0x80 == 0 ? bytes : nil
    }
}
