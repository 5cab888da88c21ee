import Foundation
package import LinuxIO

/// A Unix socket behind which a program is started for every connection, its standard input and
/// output being the connection: `systemd-socket-activate` as systemd's `Accept=yes`.
package final class SocketService {
    package struct Failure: Error {}

    package let path: FilePath
    private var process: ChildProcess

    /// - Parameters:
    ///   - path: at most 107 bytes; what a service before left there is replaced.
    ///   - environment: all that the program gets besides `PATH`.
    package init(
        _ path: FilePath, _ words: [String], environment: [String: String] = [:]
    ) throws {
        self.path = path
        try? FileManager.default.removeItem(atPath: path.description)
        let command =
            ["systemd-socket-activate", "--accept", "--inetd", "-l", path.description]
            + environment.map { "--setenv=\($0)=\($1)" } + words
        process = try ChildProcess(
            ChildProcess.Command(command.map { FilePath($0) }, hasOwnGroup: true),
            outputLimit: 1 << 20)
        let deadline = SystemClock.deadline(after: 10_000_000_000)
        while !FileManager.default.fileExists(atPath: path.description) {
            let hasEnded = try process.hasEnded()
            guard !hasEnded, SystemClock.monotonicNanoseconds() < deadline else {
                throw Failure()
            }
            SystemClock.sleep(nanoseconds: 5_000_000)
        }
    }

    /// Ends it with all programs that it started.
    deinit {
        process.stop(deadline: 0)
    }
}
