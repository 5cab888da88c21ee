import CLinux

/// A process that was asked to end, by SIGTERM, SIGINT or SIGHUP, and may do so in its own way.
package enum StopRequest {
    /// From now on the first of the signals is noted only; the next one ends the process and its
    /// children.
    package static func note() {
        grona_stop_note()
    }

    /// Whether one has come.
    package static var isNoted: Bool { grona_stop_is_noted() != 0 }
}
