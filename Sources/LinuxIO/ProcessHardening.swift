import CLinux
internal import Glibc

/// What a process that holds secrets does before anything else.
package enum ProcessHardening {
    /// No core dump, no debugger of the same user, new files for the user alone, a closed pipe is
    /// an error and not a signal, and descriptors 0 to 2 are open, so that no file of ours can
    /// take the place of standard output. A result for a standard output that was closed has
    /// nowhere to go, so writing to it fails. A fault, `abort` and Ctrl-\ end the process as the
    /// kernel does it: what the Swift runtime does instead shows memory, or asks what to show.
    package static func apply() throws(SystemError) {
        grona_default_fault_signals()
        for descriptor in STDIN_FILENO...STDERR_FILENO
        where grona_descriptor_is_open(descriptor) == 0 {
            // The lowest free number is the missing one, since those below it are open.
            let mode = descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR
            let opened = unsafe open("/dev/null", mode)
            guard opened == descriptor else { throw SystemError.last("open", "/dev/null") }
        }
        guard grona_limit_core_to_zero() == 0 else { throw SystemError.last("setrlimit", nil) }
        guard grona_prctl_set_dumpable(0) == 0 else { throw SystemError.last("prctl", nil) }
        #if DEBUG
            if StopPoint.isWatched { _ = grona_prctl_set_dumpable(1) }
        #endif
        _ = umask(0o077)
        grona_ignore_broken_pipes()
    }

    /// Whether a core dump or a debugger of the same user could show the memory of this process.
    package static var isDumpable: Bool { grona_prctl_get_dumpable() != 0 }
}
