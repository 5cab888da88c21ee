/// A line on the terminal about work that takes longer than a second: count, rate, time left.
///
/// Shown on standard error when that is a terminal, and neither with `-q` nor with `--json`.
package struct Progress: ~Copyable {
    private let console: Console
    private let unit: String
    private let total: Int?
    private let clock: @Sendable () -> UInt64
    private let start: UInt64
    private let isShown: Bool
    private var lastShown: UInt64
    private var count = 0
    private var isOnScreen = false

    private static let second: UInt64 = 1_000_000_000

    /// - Parameters:
    ///   - unit: what is counted, such as "grants".
    ///   - total: how many there will be, where it is known.
    ///   - clock: nanoseconds that never go back.
    package init(
        _ console: Console, unit: String, total: Int? = nil, clock: @escaping @Sendable () -> UInt64
    ) {
        self.console = console
        self.unit = unit
        self.total = total
        self.clock = clock
        start = clock()
        lastShown = start
        let preferences = console.preferences
        isShown = console.errorsAreTerminal && !preferences.quiet && !preferences.json
    }

    /// Counts; draws at most five times a second.
    package mutating func advance(by steps: Int = 1) {
        count += steps
        guard isShown else { return }
        let now = clock()
        guard now >= start + Self.second, now >= lastShown + Self.second / 5 else { return }
        lastShown = now
        isOnScreen = true
        console.send(error: "\r\u{1B}[K" + line(after: now - start))
    }

    /// Clears the line.
    package consuming func finish() {
        if isOnScreen { console.send(error: "\r\u{1B}[K") }
    }

    private func line(after nanoseconds: UInt64) -> String {
        let milliseconds = max(1, Int(nanoseconds / 1_000_000))
        let rate = count * 1_000 / milliseconds
        guard let total else { return "\(count) \(unit), \(rate)/s" }
        let left = count > 0 ? (total - count) * (milliseconds / 1_000) / count : 0
        return "\(count) of \(total) \(unit), \(rate)/s, \(Self.duration(left)) left"
    }

    private static func duration(_ seconds: Int) -> String {
        let minutes = seconds / 60
        if minutes >= 60 { return "\(minutes / 60) h \(minutes % 60) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }
}
