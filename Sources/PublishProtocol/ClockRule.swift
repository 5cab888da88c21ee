package import GronaFormats

/// Whether this host's clock may be believed. What a document says is a matter of its workspace,
/// never of the clock.
package enum ClockRule {
    /// How far behind the newest line of this host's own ledger a clock may be, in seconds.
    package static let behindLedger: Int64 = 60
    /// How far from the servers' clocks it may be, to either side, in seconds.
    package static let awayFromServers: Int64 = 30

    package enum Problem: Error, Sendable, Hashable {
        /// The ledger has lines of a later time.
        case behindLedger(UnixTime)
        /// The median of what the servers say; positive where they are ahead.
        case awayFromServers(Int64)
        /// It was set during the run; positive where it went ahead.
        case set(by: Int64)
    }

    package static func problem(
        now: UnixTime, newestLine: UnixTime?, serverOffset: Int64?
    ) -> Problem? {
        if let newestLine, newestLine.since(now).seconds > behindLedger {
            return .behindLedger(newestLine)
        }
        if let serverOffset, serverOffset.magnitude > UInt64(awayFromServers) {
            return .awayFromServers(serverOffset)
        }
        return nil
    }
}

/// What the lines of a ledger say about the time.
package struct LedgerTimes: Sendable, Hashable {
    /// The latest time of any line; nil where there is none.
    package var newest: UnixTime?
    /// The time of the last line.
    package var last: UnixTime?
    /// How many lines there are.
    package var lines: Int

    package init(newest: UnixTime? = nil, last: UnixTime? = nil, lines: Int = 0) {
        self.newest = newest
        self.last = last
        self.lines = lines
    }
}

/// A clock that somebody answered for: of the lines that were there by then, none is believed any
/// more, so that a clock that was ahead once stops nothing for as long as it was ahead.
package struct AcceptedClock: Sendable, Hashable {
    /// What the clock said.
    package let time: UnixTime
    /// The ledger as it was.
    package let newest: UnixTime?
    package let lines: Int

    package init(time: UnixTime, newest: UnixTime?, lines: Int) {
        self.time = time
        self.newest = newest
        self.lines = lines
    }

    /// The time that it cannot be earlier than by what was written since.
    package func newest(of times: LedgerTimes) -> UnixTime? {
        // The ledger is not the one any more.
        guard times.lines >= lines else { return times.newest }
        if let newest = times.newest, newest > self.newest ?? time { return newest }
        guard times.lines > lines, let last = times.last else { return time }
        return max(time, last)
    }
}

/// Whether a clock was set while a run went on.
package struct SteadyClock: Sendable {
    private let wall: UnixTime
    private let uptime: UInt64

    /// - Parameter uptime: nanoseconds of a clock that is never set, and goes on in sleep.
    package init(wall: UnixTime, uptime: UInt64) {
        self.wall = wall
        self.uptime = uptime
    }

    /// Nil while both went on alike.
    package func problem(wall: UnixTime, uptime: UInt64) -> ClockRule.Problem? {
        let passed = Int64(clamping: (uptime - min(uptime, self.uptime)) / 1_000_000_000)
        let (offset, overflowed) = passed.subtractingReportingOverflow(
            wall.since(self.wall).seconds)
        guard overflowed || offset.magnitude > UInt64(ClockRule.awayFromServers) else { return nil }
        return .set(by: -offset)
    }
}
