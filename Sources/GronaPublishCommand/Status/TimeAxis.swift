package import GronaFormats

/// A stretch of time that is drawn from left to right.
package struct TimeAxis: Sendable, Hashable {
    /// Positions run from 0 to this; the left end is 0.
    package static let length: Int64 = 10_000
    /// The most ticks that a narrow screen has room for.
    private static let mostTicks: Int64 = 6
    /// What people count in: hours, days, weeks, about months and years; seconds.
    private static let steps: [Int64] =
        [1, 3, 6, 12].map { $0 * 3_600 }
        + [1, 2, 5, 7, 14, 30, 60, 90, 180, 365].map { $0 * 86_400 }

    package let from: UnixTime
    package let to: UnixTime

    /// An axis with a margin on both sides of what it has to show.
    ///
    /// - Parameters:
    ///   - main: what is seen whole, with `now`.
    ///   - others: what is seen as far as it lies within one length of that on either side.
    package init(
        showing main: [UnixTime], and others: [UnixTime] = [], now: UnixTime
    ) {
        let whole = (main + [now]).map(Self.clamped)
        var from = whole.min() ?? now
        var to = whole.max() ?? now
        let reach = max(to.since(from).seconds, 86_400)
        let earliest = from.seconds - reach
        let latest = to.seconds + reach
        for time in others.map(Self.clamped) {
            from = min(from, max(time, UnixTime(earliest)))
            to = max(to, min(time, UnixTime(latest)))
        }
        let margin = max(to.since(from).seconds / 25, 1_800)
        self.from = UnixTime(from.seconds - margin)
        self.to = UnixTime(to.seconds + margin)
    }

    /// Times of documents, whatever they are, lie in 2020–2100 here.
    private static func clamped(_ time: UnixTime) -> UnixTime {
        min(max(time, .earliest), .latest)
    }

    /// Where a time stands, 0 to ``length``; what lies outside stands at the end.
    package func position(of time: UnixTime) -> Int64 {
        let time = min(max(time, from), to)
        return time.since(from).seconds * Self.length / max(1, to.since(from).seconds)
    }

    package func shows(_ time: UnixTime) -> Bool { from <= time && time <= to }

    /// Seconds between two ticks: the smallest round step that leaves at most six of them.
    package var step: Int64 {
        let span = to.since(from).seconds
        return Self.steps.first { span / $0 <= Self.mostTicks } ?? span
    }

    /// Round times on the axis.
    package var ticks: [UnixTime] {
        let step = step
        let first = (from.seconds + step - 1) / step * step
        return stride(from: first, through: to.seconds, by: Int(step)).map { UnixTime($0) }
    }
}
