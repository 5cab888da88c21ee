import Foundation
import Synchronization

/// A program that runs beside a test and ends with this object, after five minutes at the latest.
final class BackgroundProgram: Sendable {
    private let process: Mutex<Process>

    /// Tests run on threads that block signals, and a program would take that over from them.
    private static let unblocking =
        "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []);"
        + " os.execvp(sys.argv[1], sys.argv[1:])"

    /// - Parameter log: gets what the program writes.
    init(_ words: [String], environment: [String: String], log: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", Self.unblocking, "timeout", "--kill-after=5", "300"] + words
        process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { _, new in new }
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let output = FileHandle(forWritingAtPath: log)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        self.process = Mutex(process)
    }

    deinit {
        end()
    }

    var isRunning: Bool { process.withLock { $0.isRunning } }

    func end() {
        process.withLock { process in
            guard process.isRunning else { return }
            process.terminate()
            process.waitUntilExit()
        }
    }
}
