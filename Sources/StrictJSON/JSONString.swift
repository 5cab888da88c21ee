/// What stands between the quotes of a string: decoding, comparison, writing.
enum JSONString {
    /// Undoes the escapes of a text that the reader has accepted.
    static func decode(_ text: Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < text.count else {
                result.append(byte)
                continue
            }
            let letter = text[index]
            index += 1
            switch letter {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = codeUnit(text, index) ?? 0
                index += 4
                if scalar & 0xFC00 == 0xD800 {
                    scalar =
                        0x10000 + (scalar & 0x3FF) << 10 + (codeUnit(text, index + 2) ?? 0) & 0x3FF
                    index += 6
                }
                appendUTF8(scalar, to: &result)
            default: result.append(letter)
            }
        }
        return result
    }

    /// Four hexadecimal digits.
    static func codeUnit(_ text: Span<UInt8>, _ index: Int) -> UInt32? {
        guard index + 4 <= text.count else { return nil }
        var value: UInt32 = 0
        for position in index..<index + 4 {
            guard let digit = hexadecimalDigit(text[position]) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func appendUTF8(_ scalar: UInt32, to result: inout [UInt8]) {
        func tail(_ shift: UInt32) -> UInt8 {
            UInt8(truncatingIfNeeded: 0x80 | (scalar >> shift & 0x3F))
        }
        switch scalar {
        case ..<0x80:
            result.append(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            result.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
            result.append(tail(0))
        case ..<0x10000:
            result.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
            result.append(tail(6))
            result.append(tail(0))
        default:
            result.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
            result.append(tail(12))
            result.append(tail(6))
            result.append(tail(0))
        }
    }

    /// U+FDD0 to U+FDEF and the last two of each plane.
    static func isNoncharacter(_ scalar: UInt32) -> Bool {
        scalar & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar)
    }

    static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] {
            return false
        }
        return true
    }

    /// The order of two texts by their UTF-16 code units (RFC 8785 3.2.3), read off their UTF-8:
    /// below 0, 0 or above 0.
    ///
    /// Where two valid texts first differ, both bytes begin a character or both continue one. The
    /// order of UTF-8 is that of the code points, and UTF-16 differs from it only in that
    /// U+E000 to U+FFFF (first byte EE or EF) stand after all that needs a surrogate pair.
    static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        let shared = min(left.count, right.count)
        for index in 0..<shared where left[index] != right[index] {
            return Int(rank(left[index])) - Int(rank(right[index]))
        }
        return left.count - right.count
    }

    /// A first byte as it counts in the order of UTF-16.
    static func rank(_ byte: UInt8) -> UInt8 {
        byte == 0xEE || byte == 0xEF ? byte | 0xFE : byte
    }

    /// Appends `/` and a name or index, `~` and `/` escaped (RFC 6901 3).
    static func appendPointerToken(_ name: [UInt8], to result: inout [UInt8]) {
        result.append(UInt8(ascii: "/"))
        for byte in name {
            switch byte {
            case UInt8(ascii: "~"): result += [UInt8(ascii: "~"), UInt8(ascii: "0")]
            case UInt8(ascii: "/"): result += [UInt8(ascii: "~"), UInt8(ascii: "1")]
            default: result.append(byte)
            }
        }
    }

    /// Appends a text with quotes, escaping only what RFC 8785 3.2.2.2 demands.
    static func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x08: output.append(contentsOf: "\\b".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0C: output.append(contentsOf: "\\f".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case ..<0x20:
                output.append(contentsOf: "\\u00".utf8)
                output.append(hexadecimal(byte >> 4))
                output.append(hexadecimal(byte & 0x0F))
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// A lower-case digit for 0 to 15.
    private static func hexadecimal(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
    }
}
