import CLinux
internal import Glibc

/// What a program does before it loads code of others into its process.
package enum ForeignCode {
    /// Keeps a library from writing among the results and errors of this program: what it writes to
    /// descriptors 1 and 2 goes to `/dev/null`. To be called before other threads write.
    ///
    /// - Parameter showingErrors: leaves standard error to it.
    package static func keepFromStreams(showingErrors: Bool) throws(SystemError) {
        try StandardOutput.place.moveAway(from: STDOUT_FILENO, "/dev/stdout")
        if !showingErrors { try StandardError.place.moveAway(from: STDERR_FILENO, "/dev/stderr") }
    }

    /// Ends the process with this status and these words for standard error where code of others
    /// ends it, ahead of the exit handlers that this code has registered so far.
    package static func guardExit(status: Int32, _ words: [UInt8]) {
        let descriptor = StandardError.place.descriptor
        _ = unsafe words.withUnsafeBytes { bytes in
            unsafe grona_guard_exit(
                descriptor, status, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                bytes.count)
        }
    }

    /// The process is about to end as it should.
    package static func exitIsOurs() {
        grona_exit_is_ours()
    }
}
