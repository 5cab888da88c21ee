/// How long to wait before a request is sent again, and when to give up.
///
/// Waits double from `first` to `longest`; each is drawn between its half and its whole, so that
/// many publishers do not come back together. A `Retry-After` is heeded up to `longest`. All waits
/// together stay within `budget`.
package struct RetrySchedule: Sendable {
    /// All in nanoseconds.
    package let first: UInt64
    package let longest: UInt64
    package let budget: UInt64
    /// How often a request is sent at most.
    package let attempts: Int

    private var sent = 0
    private var waited: UInt64 = 0

    package init(
        first: UInt64 = 200_000_000, longest: UInt64 = 5_000_000_000,
        budget: UInt64 = 12_000_000_000, attempts: Int = 4
    ) {
        self.first = first
        self.longest = longest
        self.budget = budget
        self.attempts = attempts
    }

    /// The next wait in nanoseconds; nil when it is time to give up.
    ///
    /// - Parameters:
    ///   - retryAfter: what the server asked for, in seconds.
    ///   - random: any 64 random bits.
    package mutating func next(retryAfter: Int64?, random: UInt64) -> UInt64? {
        sent += 1
        guard sent < attempts else { return nil }
        var whole = min(longest, first)
        for _ in 1..<sent where whole < longest { whole = min(longest, whole * 2) }
        var wait = whole / 2 + random % (whole - whole / 2 + 1)
        if let retryAfter {
            let asked = UInt64(clamping: retryAfter).multipliedReportingOverflow(
                by: 1_000_000_000)
            wait = max(wait, min(longest, asked.overflow ? longest : asked.partialValue))
        }
        guard waited + wait <= budget else { return nil }
        waited += wait
        return wait
    }
}
