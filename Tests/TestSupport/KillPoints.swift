internal import LinuxIO

/// Runs a program again and again, killed each time just before another system call that writes.
package enum KillPoints {
    /// Calls that change a file system, or that order such changes.
    package static let calls = [
        "openat", "openat2", "write", "pwrite64", "fsync", "fchmod", "ftruncate", "linkat",
        "renameat", "renameat2", "unlinkat", "mkdirat", "utimensat", "flock",
    ]

    /// `reset` puts things as they were before each run; `after` looks at what the kill left, with
    /// the name of the call. Answers the number of kills; nil, with the reason printed, where
    /// `strace` cannot run.
    package static func run(
        _ words: [String], input: [UInt8] = [], reset: () throws -> Void,
        after: (String) throws -> Void
    ) throws -> Int? {
        guard Program.exists("strace") else {
            print("skipped: strace is not installed")
            return nil
        }
        let folder = try TestFolder()
        var kills = 0
        for call in calls {
            try reset()
            let counts = folder.file("counts").description
            let counted = try Program.run(
                ["strace", "-f", "-qq", "-o", counts, "-e", "trace=\(call)"] + words, input: input)
            guard counted.isSuccess else {
                print("skipped: strace cannot trace here: \(counted.errors)")
                return nil
            }
            let lines = String(
                decoding: try readFile(folder.file("counts"), limit: 64 << 20), as: UTF8.self)
            let calls = lines.split(separator: "\n").filter { $0.contains("\(call)(") }
            for (index, line) in calls.enumerated() where changes(line) {
                let number = index + 1
                try reset()
                let killed = try Program.run(
                    [
                        "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                        "inject=\(call):signal=KILL:when=\(number)",
                    ] + words, input: input)
                guard !killed.isSuccess else { continue }
                kills += 1
                try after(call)
            }
        }
        return kills
    }

    /// Opening for reading changes nothing, and a program opens dozens of libraries.
    private static func changes(_ line: some StringProtocol) -> Bool {
        !line.contains("openat") || line.contains("O_CREAT") || line.contains("O_TMPFILE")
            || line.contains("O_RDWR") || line.contains("O_WRONLY")
    }
}
