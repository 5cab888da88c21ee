/// The 32 bytes that SHA-256 or HMAC-SHA-256 gives (FIPS 180-4, RFC 2104).
///
/// Comparing two digests takes a time that may depend on their bytes; a digest is no secret.
package struct SHA256Digest: Hashable, Sendable {
    package static let byteCount = 32

    /// 32 zero bytes, the digest of nothing known; what the first line of a log names.
    package static let zero = SHA256Digest(written: .init(repeating: 0))

    // Four big-endian words: no allocation, and equality and hashing come with them.
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// `nil` unless there are exactly 32 bytes.
    package init?(bytes: Span<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        func word(_ index: Int) -> UInt64 {
            var value: UInt64 = 0
            for offset in (8 * index)..<(8 * index + 8) {
                value = value << 8 | UInt64(bytes[offset])
            }
            return value
        }
        first = word(0)
        second = word(1)
        third = word(2)
        fourth = word(3)
    }

    /// `nil` unless there are exactly 32 bytes.
    package init?(bytes: [UInt8]) {
        self.init(bytes: bytes.span)
    }

    /// From a buffer that holds the digest as `libcrypto` wrote it.
    init(written: [32 of UInt8]) {
        func word(_ index: Int) -> UInt64 {
            var value: UInt64 = 0
            for offset in (8 * index)..<(8 * index + 8) {
                value = value << 8 | UInt64(written[offset])
            }
            return value
        }
        first = word(0)
        second = word(1)
        third = word(2)
        fourth = word(3)
    }

    /// From 64 lower-case hexadecimal digits, as digests are written in logs; `nil` for all else.
    package init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count == 2 * Self.byteCount else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.value(ofDigit: digits[index]),
                let low = Self.value(ofDigit: digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(bytes: bytes)
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        for word in [first, second, third, fourth] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * Self.byteCount)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension SHA256Digest: CustomStringConvertible {
    package var description: String { hex }
}
