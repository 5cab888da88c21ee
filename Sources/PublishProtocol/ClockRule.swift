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
