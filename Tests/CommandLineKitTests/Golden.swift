import Foundation
import Testing

/// Expected outputs as files; `UPDATE_GOLDEN=1` writes them anew, for the diff to be read.
enum Golden {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Golden")

    static func expect(
        _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let expected = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(text == expected, "\(name)", sourceLocation: sourceLocation)
    }
}

/// A program of the system, run on some input.
enum Tool {
    struct Result {
        let status: Int32
        let output: String
    }

    /// Runs a program found in the path; output and errors together.
    static func run(_ arguments: [String], input: String = "") throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let (given, taken) = (Pipe(), Pipe())
        process.standardInput = given
        process.standardOutput = taken
        process.standardError = taken
        try process.run()
        try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try given.fileHandleForWriting.close()
        let data = try taken.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }

    /// A folder that is removed afterwards.
    static func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "kit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
