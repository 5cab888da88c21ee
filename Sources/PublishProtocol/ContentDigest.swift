/// A SHA-256 digest as a small value that can be compared, hashed and ordered.
///
/// Four words, most significant first. The digest of a document is that of its decoded payload;
/// the digest of an envelope is that of the bytes as they are served.
package struct ContentDigest: Hashable, Comparable, Sendable {
    private let words: [4 of UInt64]

    /// Takes 32 bytes; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words: [4 of UInt64] = [0, 0, 0, 0]
        var index = 0
        for byte in bytes {
            words[index / 8] = words[index / 8] << 8 | UInt64(byte)
            index += 1
        }
        self.words = words
    }

    /// Takes 64 lower-case hexadecimal digits; nil for anything else.
    package init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count == 64 else { return nil }
        var words: [4 of UInt64] = [0, 0, 0, 0]
        for (index, digit) in digits.enumerated() {
            let value: UInt64
            switch digit {
            case 0x30...0x39: value = UInt64(digit - 0x30)
            case 0x61...0x66: value = UInt64(digit - 0x61 + 10)
            default: return nil
            }
            words[index / 16] = words[index / 16] << 4 | value
        }
        self.words = words
    }

    /// A digest for models and tests: the number in the last word.
    package init(number: UInt64) {
        words = [0, 0, 0, number]
    }

    /// The least significant word: in models, the number that the digest was made of.
    package var number: UInt64 { words[3] }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for index in 0..<4 {
            for shift in stride(from: 60, through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: words[index] >> UInt64(shift)) & 15
                text.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first 16 hexadecimal digits, as in the name of a bundle.
    package var prefix: String { String(hex.prefix(16)) }

    package static func == (left: Self, right: Self) -> Bool {
        (0..<4).allSatisfy { left.words[$0] == right.words[$0] }
    }

    package static func < (left: Self, right: Self) -> Bool {
        for index in 0..<4 where left.words[index] != right.words[index] {
            return left.words[index] < right.words[index]
        }
        return false
    }

    package func hash(into hasher: inout Hasher) {
        for index in 0..<4 { hasher.combine(words[index]) }
    }
}
