/// Eight bytes of a text at once, the first in the lowest byte.
enum JSONWord {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The eight bytes from `index` on, all of which must be there.
    @inline(__always)
    static func load(_ text: Span<UInt8>, _ index: Int) -> UInt64 {
        let bytes = text.extracting(index..<index &+ 8)
        return UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16
            | UInt64(bytes[3]) << 24 | UInt64(bytes[4]) << 32 | UInt64(bytes[5]) << 40
            | UInt64(bytes[6]) << 48 | UInt64(bytes[7]) << 56
    }

    /// Up to eight bytes from `index` on, as many as `count` says; zero where there are none.
    @inline(__always)
    static func load(_ text: Span<UInt8>, _ index: Int, count: Int) -> UInt64 {
        if index &+ 8 <= text.count {
            let word = load(text, index)
            return count >= 8 ? word : word & ((1 << UInt64(truncatingIfNeeded: count &* 8)) &- 1)
        }
        var word: UInt64 = 0
        for position in 0..<min(count, 8) {
            word |= UInt64(text[index + position]) << UInt64(position * 8)
        }
        return word
    }

    /// Marks bytes that end the plain run of a string: quote, backslash, control, beyond ASCII.
    ///
    /// Only the lowest mark is certain: a borrow may add marks above it.
    @inline(__always)
    static func specials(_ word: UInt64) -> UInt64 {
        let quote = (word ^ ones &* 0x22) &- ones
        let backslash = (word ^ ones &* 0x5C) &- ones
        let control = word &- ones &* 0x20
        return (quote | backslash | control | word) & highBits
    }
}
