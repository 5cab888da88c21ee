internal import Glibc

/// The system's clocks; time is read once and passed down as a value.
package enum SystemClock {
    /// Seconds since 1970-01-01 UTC.
    package static func unixTime() -> Int64 {
        read(CLOCK_REALTIME).seconds
    }

    /// The time of day to the nanosecond.
    package static func now() -> FileTime {
        read(CLOCK_REALTIME)
    }

    /// Nanoseconds since some moment in the past; never goes back, does not follow corrections.
    package static func monotonicNanoseconds() -> UInt64 {
        let time = read(CLOCK_MONOTONIC)
        return UInt64(clamping: time.seconds) * 1_000_000_000 + UInt64(clamping: time.nanoseconds)
    }

    /// The same, of a clock that goes on while the machine sleeps.
    package static func uptimeNanoseconds() -> UInt64 {
        let time = read(CLOCK_BOOTTIME)
        return UInt64(clamping: time.seconds) * 1_000_000_000 + UInt64(clamping: time.nanoseconds)
    }

    /// The monotonic time that lies `nanoseconds` ahead.
    package static func deadline(after nanoseconds: UInt64) -> UInt64 {
        let (sum, overflow) = monotonicNanoseconds().addingReportingOverflow(nanoseconds)
        return overflow ? .max : sum
    }

    package static func sleep(nanoseconds: UInt64) {
        var rest = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        var left = timespec()
        while unsafe nanosleep(&rest, &left) != 0, ErrorNumber.last == .interrupted {
            rest = left
        }
    }

    private static func read(_ clock: clockid_t) -> FileTime {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return FileTime(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}
