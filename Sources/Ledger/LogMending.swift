/// What an append found at the end of a log after a crash, and did about it; worth a warning.
package enum LogMending: Sendable, Equatable {
    /// A torn line was removed.
    case removed(LogRepair)
    /// A line that lacked only its newline was kept, and got it.
    case completed(line: Int)
}
