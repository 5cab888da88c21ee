/// A point in time in whole Unix seconds (UTC); any value, since documents carry any value.
///
/// Source of the bounds: signed-configuration: Time values.
package struct UnixTime: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 2020-01-01T00:00:00Z, the first second that a document may name.
    package static let earliest = UnixTime(1_577_836_800)
    /// 2100-01-01T00:00:00Z, the last second that a document may name.
    package static let latest = UnixTime(4_102_444_800)

    package let seconds: Int64

    package init(_ seconds: Int64) {
        self.seconds = seconds
    }

    package init(rawValue: Int64) {
        self.seconds = rawValue
    }

    package var rawValue: Int64 { seconds }

    /// Whether the time lies in 2020–2100, both ends included.
    package var isWithinBounds: Bool {
        self >= Self.earliest && self <= Self.latest
    }

    /// Nil where the sum leaves `Int64`; never wraps. The sum may leave the bounds of a document.
    package func adding(_ duration: DurationSeconds) -> UnixTime? {
        let (sum, overflowed) = seconds.addingReportingOverflow(duration.seconds)
        return overflowed ? nil : UnixTime(sum)
    }

    /// Nil where the difference leaves `Int64`; never wraps.
    package func subtracting(_ duration: DurationSeconds) -> UnixTime? {
        let (difference, overflowed) = seconds.subtractingReportingOverflow(duration.seconds)
        return overflowed ? nil : UnixTime(difference)
    }

    /// From another time to this one, negative when this one is earlier; the nearest end of
    /// `Int64` where the difference leaves it.
    package func since(_ earlier: UnixTime) -> DurationSeconds {
        let (difference, overflowed) = seconds.subtractingReportingOverflow(earlier.seconds)
        if overflowed { return DurationSeconds(seconds < 0 ? .min : .max) }
        return DurationSeconds(difference)
    }

    package static func < (left: UnixTime, right: UnixTime) -> Bool {
        left.seconds < right.seconds
    }

    /// RFC 3339 inside the years 0000–9999, plain seconds outside.
    package var description: String {
        rfc3339 ?? String(seconds)
    }
}
