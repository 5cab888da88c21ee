/// The version of a config: 1 to 2^53−1, the ratchet that no install can turn back.
///
/// Source: signed-configuration: Rollback protection; the upper bound is the largest integer that
/// every JSON reader keeps (RFC 7493 2.2).
package struct ConfigVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    package static let first = ConfigVersion(unchecked: 1)
    package static let last = ConfigVersion(unchecked: 9_007_199_254_740_991)

    package let number: Int64

    private init(unchecked number: Int64) {
        self.number = number
    }

    /// Nil outside 1…2^53−1.
    package init?(_ number: Int64) {
        guard number >= Self.first.number, number <= Self.last.number else { return nil }
        self.number = number
    }

    /// A decimal number as on a command line: nil with a sign, a blank, a leading zero or an
    /// exponent, and outside the range.
    package init?(decimal text: String) {
        guard let number = ASCII.decimal(text.utf8) else { return nil }
        self.init(number)
    }

    /// Nil after the last one.
    package var next: ConfigVersion? {
        ConfigVersion(number + 1)
    }

    /// How far this version stands above another; negative when below.
    package func distance(above other: ConfigVersion) -> Int64 {
        number - other.number
    }

    /// Nil outside the range; never wraps. `steps` may be negative.
    package func advanced(by steps: Int64) -> ConfigVersion? {
        let (sum, overflowed) = number.addingReportingOverflow(steps)
        return overflowed ? nil : ConfigVersion(sum)
    }

    package var description: String { String(number) }

    /// 16 digits with leading zeros, as in the file names of a store.
    package var sixteenDigits: String {
        let digits = String(number)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// Reads what `sixteenDigits` writes; nil for anything else.
    package init?(sixteenDigits text: some Collection<UInt8>) {
        guard text.count == 16, text.allSatisfy(ASCII.isDigit),
            let number = ASCII.decimal(text.drop { $0 == 0x30 })
        else { return nil }
        self.init(number)
    }

    package static func < (left: ConfigVersion, right: ConfigVersion) -> Bool {
        left.number < right.number
    }
}
