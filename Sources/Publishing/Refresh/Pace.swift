import LinuxIO
import Synchronization

/// At most so many things a second, for all threads together; the first comes at once.
package final class Pace: Sendable {
    private let interval: UInt64
    private let next = Mutex<UInt64>(0)
    private let clock: @Sendable () -> UInt64
    private let sleep: @Sendable (UInt64) -> Void

    /// - Parameters:
    ///   - perSecond: nil or 0 for as many as there are.
    ///   - clock: nanoseconds that never go back.
    package init(
        perSecond: Int?, clock: @escaping @Sendable () -> UInt64 = SystemClock.monotonicNanoseconds,
        sleep: @escaping @Sendable (UInt64) -> Void = { SystemClock.sleep(nanoseconds: $0) }
    ) {
        interval = perSecond.map { $0 > 0 ? 1_000_000_000 / UInt64($0) : 0 } ?? 0
        self.clock = clock
        self.sleep = sleep
    }

    /// Comes back when it is time for the next one.
    package func wait() {
        guard interval > 0 else { return }
        let now = clock()
        let turn = next.withLock { next in
            let turn = max(now, next)
            next = turn + interval
            return turn
        }
        if turn > now { sleep(turn - now) }
    }
}
