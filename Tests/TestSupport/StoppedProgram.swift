import Foundation
package import LinuxIO

/// A debug build that stops at named points (`StopPoint`), and whose memory is looked at there.
package final class StoppedProgram {
    private let log: FilePath
    private var child: ChildProcess
    private var seen = 0
    private var stopped: Int32?

    /// - Parameters:
    ///   - points: where it stops, as `StopPoint` names them.
    ///   - log: a file that is made here.
    package init(
        _ words: [String], environment: [String: String], points: [String], log: FilePath,
        input: [UInt8] = []
    ) throws {
        self.log = log
        _ = try OpenFile(log, [.write, .create, .truncate])
        var environment = environment
        environment["GRONA_STOP_AT"] = points.joined(separator: ",")
        environment["GRONA_STOP_LOG"] = log.description
        child = try ChildProcess(
            ChildProcess.Command(
                words.map { FilePath($0) },
                environment: environment.map { [UInt8]("\($0)=\($1)".utf8) }, hasOwnGroup: true),
            outputLimit: 16 << 20)
        if !input.isEmpty { try child.write(input) }
    }

    deinit {
        if let stopped { kill(stopped, SIGKILL) }
    }

    /// Waits for the next point, half a minute at most: its name, and the memory there. `nil` when
    /// the program has ended.
    package func next() throws -> (point: String, image: MemoryImage)? {
        if let stopped { kill(stopped, SIGCONT) }
        stopped = nil
        let deadline = SystemClock.deadline(after: 30_000_000_000)
        while SystemClock.monotonicNanoseconds() < deadline {
            let lines = String(decoding: try readFile(log, limit: 1 << 20), as: UTF8.self)
                .split(separator: "\n")
            if lines.count > seen {
                let words = lines[seen].split(separator: " ")
                guard words.count == 2, let process = Int32(words[1]) else { return nil }
                while !isStopped(process), SystemClock.monotonicNanoseconds() < deadline {
                    SystemClock.sleep(nanoseconds: 2_000_000)
                }
                seen += 1
                stopped = process
                return (String(words[0]), try MemoryImage(of: process))
            }
            // What it writes is taken, so that it never waits for us.
            if try child.hasEnded() { return nil }
            SystemClock.sleep(nanoseconds: 5_000_000)
        }
        throw CocoaError(.fileReadUnknown)
    }

    /// Lets it run to its end.
    package func finish() throws -> (exit: ChildExit, output: [UInt8], errors: String) {
        while try next() != nil {}
        var output: [UInt8] = []
        let deadline = SystemClock.deadline(after: 30_000_000_000)
        while let line = try child.readLine(deadline: deadline) { output += line + [0x0A] }
        let exit = try child.finish(deadline: deadline)
        return (exit, output, String(decoding: child.errorTail, as: UTF8.self))
    }

    private func isStopped(_ process: Int32) -> Bool {
        let bytes = (try? readFile(FilePath("/proc/\(process)/stat"), limit: 4096)) ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: ")").last?.hasPrefix(" T") ?? false
    }
}
