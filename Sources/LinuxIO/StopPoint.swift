#if DEBUG
    internal import Glibc
    import Synchronization

    /// Places at which a debug build stops, so that somebody can look at its memory; a release build
    /// has none of this.
    ///
    /// `GRONA_STOP_AT` names the points, separated by commas. At each of them the process adds a
    /// line, `POINT PID`, to the file `GRONA_STOP_LOG` and stops until it is continued (SIGCONT).
    /// `GRONA_STOP_PLANT` is a file whose bytes are put onto the ordinary heap at the first stop:
    /// what looks for secrets has to find them.
    package enum StopPoint: String {
        /// A key file was read and nothing of it is released.
        case keyRead = "key-read"
        /// A passphrase or a PIN was read, and is there.
        case secretRead = "secret-read"
        /// A signature was just made; the key is there.
        case signing
        /// The command is over, and nothing needs a secret any more.
        case over

        private static let planted = Mutex<[UInt8]>([])

        package func reached() {
            guard let names = Environment.value("GRONA_STOP_AT"),
                names.split(separator: ",").contains(where: { $0 == rawValue })
            else { return }
            if let path = Environment.path("GRONA_STOP_PLANT") {
                let bytes = (try? readFile(path, limit: 1 << 20)) ?? []
                StopPoint.planted.withLock { $0 = bytes }
            }
            if let path = Environment.path("GRONA_STOP_LOG"),
                let file = try? OpenFile(path, [.write, .append])
            {
                try? file.writeAll([UInt8]("\(rawValue) \(getpid())\n".utf8))
            }
            _ = kill(getpid(), SIGSTOP)
        }

        /// Whether somebody is to look at this process, who need not be root.
        static var isWatched: Bool { Environment.value("GRONA_STOP_AT") != nil }
    }
#endif
