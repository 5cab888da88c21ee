import LinuxIO
import StrictJSON
import TestSupport

@testable import Ledger

/// A log in a folder of its own, and its lines as bytes to be tampered with.
struct LogFixture {
    let folder: TestFolder
    let log: HashChainLog

    init(lines: Int = 0, lineLimit: Int = 65_536) throws {
        folder = try TestFolder()
        log = HashChainLog(at: folder.file("state/audit.ndjson"), lineLimit: lineLimit)
        for number in 0..<lines { try log.append(LogFixture.record("line \(number + 1)")) }
    }

    static func record(_ text: String) -> JSONValue {
        .object([("text", .string(text))])
    }

    var aside: FilePath { folder.file("state/audit.ndjson.torn") }

    func bytes() throws -> [UInt8] {
        try readFile(log.path, limit: 1 << 26)
    }

    func lines() throws -> [[UInt8]] {
        try bytes().split(separator: 0x0A).map { [UInt8]($0) }
    }

    func texts() throws -> [String] {
        var reader = try log.reader()
        var texts: [String] = []
        while let line = try reader.next() {
            texts.append(line.root["text"]?.string ?? line.root["event"]?.string ?? "?")
        }
        return texts
    }

    func write(_ bytes: [UInt8]) throws {
        let file = try OpenFile(log.path, [.write, .truncate])
        try file.writeAll(bytes)
    }

    func write(lines: [[UInt8]]) throws {
        try write(lines.flatMap { $0 + [0x0A] })
    }

    func append(bytes: [UInt8]) throws {
        let file = try OpenFile(log.path, [.write, .append])
        try file.writeAll(bytes)
    }
}
