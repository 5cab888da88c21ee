#if DEBUG
    internal import Glibc
    import Synchronization

    /// Boundaries between the steps of a publication, at which a debug build ends itself as a crash
    /// would; a release build has none of this.
    ///
    /// `GRONA_STOP_STEPS` names a file to which each boundary adds a line, `NUMBER NAME`, from 1 on.
    /// At the boundary whose number is `GRONA_STOP_STEP` the process kills itself (SIGKILL).
    package enum StepPoint {
        private static let count = Mutex(0)

        package static func reached(_ name: @autoclosure () -> String) {
            let end = Environment.value("GRONA_STOP_STEP").flatMap { Int($0) }
            let log = Environment.path("GRONA_STOP_STEPS")
            guard end != nil || log != nil else { return }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if let log, let file = try? OpenFile(log, [.write, .append]) {
                try? file.writeAll([UInt8]("\(number) \(name())\n".utf8))
            }
            if number == end { _ = kill(getpid(), SIGKILL) }
        }
    }
#endif
