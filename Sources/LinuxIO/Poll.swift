internal import Glibc

/// Waiting for one descriptor.
enum Poll {
    enum Direction {
        case input, output
    }

    /// Waits until `descriptor` is ready, has failed or is closed at the other end; false once the
    /// monotonic time `deadline` (nanoseconds; nil for none) has passed.
    static func wait(_ descriptor: Int32, for direction: Direction, until deadline: UInt64?) -> Bool
    {
        let events = Int16(direction == .input ? POLLIN : POLLOUT)
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let ready = unsafe poll(&entry, 1, milliseconds(until: deadline))
            if ready > 0 { return true }
            if ready < 0, ErrorNumber.last != .interrupted { return true }
            if let deadline, SystemClock.monotonicNanoseconds() >= deadline { return false }
        }
    }

    /// The argument of `poll` for a deadline: -1 for none, rounded up so that no wait spins.
    static func milliseconds(until deadline: UInt64?) -> Int32 {
        guard let deadline else { return -1 }
        let now = SystemClock.monotonicNanoseconds()
        guard deadline > now else { return 0 }
        return Int32(min((deadline - now + 999_999) / 1_000_000, 1_000_000))
    }
}
