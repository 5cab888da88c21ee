/// Why a text is no duration.
package enum DurationError: Error, Sendable, Hashable {
    /// Neither digits nor digits with one of `s`, `m`, `h`, `d`.
    case syntax
    /// More seconds than `Int64` holds.
    case overflow
}

/// A length of time in whole seconds.
package struct DurationSeconds: RawRepresentable, Hashable, Sendable, Comparable,
    CustomStringConvertible
{
    package let seconds: Int64

    package init(_ seconds: Int64) {
        self.seconds = seconds
    }

    package init(rawValue: Int64) {
        self.seconds = rawValue
    }

    package var rawValue: Int64 { seconds }

    package static func minutes(_ count: Int32) -> DurationSeconds {
        DurationSeconds(Int64(count) * 60)
    }

    package static func hours(_ count: Int32) -> DurationSeconds {
        DurationSeconds(Int64(count) * 3600)
    }

    package static func days(_ count: Int32) -> DurationSeconds {
        DurationSeconds(Int64(count) * 86_400)
    }

    /// Reads `90s`, `15m`, `12h`, `30d` or plain seconds; no sign, blank, fraction or leading zero.
    package init(parsing text: String) throws(DurationError) {
        var digits = text.utf8[...]
        var unit: Int64 = 1
        switch digits.last {
        case UInt8(ascii: "s"): digits.removeLast()
        case UInt8(ascii: "m"): (unit, _) = (60, digits.removeLast())
        case UInt8(ascii: "h"): (unit, _) = (3600, digits.removeLast())
        case UInt8(ascii: "d"): (unit, _) = (86_400, digits.removeLast())
        default: break
        }
        let hasLeadingZero = digits.count > 1 && digits.first == 0x30
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit), !hasLeadingZero else {
            throw .syntax
        }
        guard let count = ASCII.decimal(digits) else { throw .overflow }
        let (product, overflowed) = count.multipliedReportingOverflow(by: unit)
        if overflowed { throw .overflow }
        self.init(product)
    }

    /// The shortest text of whole units that reads back: `30d`, `36h`, `90s`; negative ones begin
    /// with a minus sign and do not read back.
    package var description: String {
        for (unit, letter) in [(86_400, "d"), (3600, "h"), (60, "m")] as [(Int64, String)]
        where seconds != 0 && seconds % unit == 0 {
            return "\(seconds / unit)\(letter)"
        }
        return "\(seconds)s"
    }

    package static func < (left: DurationSeconds, right: DurationSeconds) -> Bool {
        left.seconds < right.seconds
    }
}
