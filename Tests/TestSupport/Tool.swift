import Foundation

/// A program of the system that judges what ours do.
package enum Tool {
    package struct Answer: Sendable {
        package let status: Int32
        package let output: [UInt8]
        package let errors: String

        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    package struct Failure: Error {
        package let command: [String]
        package let answer: Answer
    }

    /// Runs a command found on the path to its end.
    package static func run(
        _ command: [String], input: [UInt8] = [], environment: [String: String]? = nil
    ) throws -> Answer {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        if let environment { process.environment = environment }
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.run()
        // Small inputs and outputs only: they fit into the pipes.
        try? stdin.fileHandleForWriting.write(contentsOf: Data(input))
        try? stdin.fileHandleForWriting.close()
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        let errors = stderr.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Answer(
            status: process.terminationStatus, output: Array(output),
            errors: String(decoding: errors, as: UTF8.self))
    }

    /// Runs a command that must succeed; answers what it wrote.
    @discardableResult package static func output(
        _ command: [String], input: [UInt8] = []
    ) throws -> [UInt8] {
        let answer = try run(command, input: input)
        guard answer.status == 0 else { throw Failure(command: command, answer: answer) }
        return answer.output
    }

    package static func openssl(_ arguments: String..., input: [UInt8] = []) throws -> [UInt8] {
        try output(["openssl"] + arguments, input: input)
    }
}
