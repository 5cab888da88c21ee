import ES256
import SecretMemory

/// Base64 of PEM bodies from guarded memory into guarded memory (RFC 4648, 4; RFC 7468, 3).
///
/// Values and characters are computed and not looked up, so that no cache line tells of them.
enum SecretBase64 {
    static let lineLength = 64

    /// - Parameter block: its lines may be of any length.
    static func decode(
        _ block: PEMBlock, of text: Span<UInt8>
    ) throws(PrivateKeyError) -> SecretBytes {
        var bytes = try SecretBytes.allocated(3 * (block.body.count / 4) + 3)
        let count = try bytes.withMutableSpan { target throws(PrivateKeyError) in
            try decode(block, of: text, to: &target)
        }
        bytes.shrink(to: count)
        return bytes
    }

    private static func decode(
        _ block: PEMBlock, of text: Span<UInt8>, to target: inout MutableSpan<UInt8>
    ) throws(PrivateKeyError) -> Int {
        var written = 0
        var group: UInt32 = 0
        var characters = 0
        var padding = 0
        var line = block.line + 1
        for index in block.body {
            let character = text[index]
            if character == 0x0A {
                line += 1
                continue
            }
            if character == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A { continue }
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            let value = value(of: character)
            guard value < 64, padding == 0 else { throw .malformedPEM(line: line) }
            group = group << 6 | UInt32(value)
            characters += 1
            if characters % 4 == 0 {
                target[written] = UInt8(truncatingIfNeeded: group >> 16)
                target[written + 1] = UInt8(truncatingIfNeeded: group >> 8)
                target[written + 2] = UInt8(truncatingIfNeeded: group)
                written += 3
            }
        }
        // What is left of the last group, whose superfluous bits are zero.
        switch (characters % 4, padding) {
        case (0, 0): break
        case (2, 2) where group & 15 == 0:
            target[written] = UInt8(truncatingIfNeeded: group >> 4)
            written += 1
        case (3, 1) where group & 3 == 0:
            target[written] = UInt8(truncatingIfNeeded: group >> 10)
            target[written + 1] = UInt8(truncatingIfNeeded: group >> 2)
            written += 2
        default: throw .malformedPEM(line: line)
        }
        return written
    }

    /// How many bytes `encode` writes, line ends included.
    static func encodedCount(_ count: Int) -> Int {
        let characters = 4 * ((count + 2) / 3)
        return characters + (characters + lineLength - 1) / lineLength
    }

    /// Writes lines of 64 characters, each with its line end, from a position on.
    static func encode(
        _ bytes: Span<UInt8>, to target: inout MutableSpan<UInt8>, at start: Int
    ) {
        var position = start
        var column = 0
        func append(_ character: UInt8, to target: inout MutableSpan<UInt8>) {
            target[position] = character
            position += 1
            column += 1
            if column == lineLength {
                target[position] = 0x0A
                position += 1
                column = 0
            }
        }
        for index in stride(from: 0, to: bytes.count, by: 3) {
            let left = bytes.count - index
            let second = left > 1 ? UInt32(bytes[index + 1]) : 0
            let third = left > 2 ? UInt32(bytes[index + 2]) : 0
            let group = UInt32(bytes[index]) << 16 | second << 8 | third
            append(character(of: group >> 18 & 63), to: &target)
            append(character(of: group >> 12 & 63), to: &target)
            append(left > 1 ? character(of: group >> 6 & 63) : UInt8(ascii: "="), to: &target)
            append(left > 2 ? character(of: group & 63) : UInt8(ascii: "="), to: &target)
        }
        if column > 0 { target[position] = 0x0A }
    }

    /// 255 for what is no character of base64.
    private static func value(of character: UInt8) -> UInt8 {
        let code = Int32(character)
        // All ones where `low <= code <= high`, else zero.
        func mask(_ low: Int32, _ high: Int32) -> Int32 {
            ~((code - low) >> 31) & ~((high - code) >> 31)
        }
        let upper = mask(0x41, 0x5A)
        let lower = mask(0x61, 0x7A)
        let digit = mask(0x30, 0x39)
        let plus = mask(0x2B, 0x2B)
        let slash = mask(0x2F, 0x2F)
        let known = upper | lower | digit | plus | slash
        let value =
            upper & (code - 0x41) | lower & (code - 0x61 + 26) | digit & (code - 0x30 + 52)
            | plus & 62 | slash & 63 | ~known & 255
        return UInt8(truncatingIfNeeded: value)
    }

    private static func character(of value: UInt32) -> UInt8 {
        let value = Int32(bitPattern: value)
        // All ones where `value >= bound`, else zero; each step adds the gap to the next range.
        func from(_ bound: Int32) -> Int32 { ~((value - bound) >> 31) }
        let character =
            value + 0x41 + (from(26) & (0x61 - 0x41 - 26)) + (from(52) & (0x30 - 0x61 - 26))
            + (from(62) & (0x2B - 0x30 - 10)) + (from(63) & (0x2F - 0x2B - 1))
        return UInt8(truncatingIfNeeded: character)
    }
}
