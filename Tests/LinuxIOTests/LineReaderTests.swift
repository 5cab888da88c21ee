import Foundation
import Testing

@testable import LinuxIO

@Suite("LineReader")
struct LineReaderTests {
    private func lines(_ text: String, limit: Int = 8) throws -> [LineReader.Line] {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("lines-\(UUID().uuidString)")
        try Data(text.utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        var reader = LineReader(try OpenFile(FilePath(path.path), []), limit: limit)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    private func text(_ text: String) -> LineReader.Line { .text(Array(text.utf8)) }

    @Test("lines come without their newlines, empty ones too")
    func plain() throws {
        #expect(try lines("a\n\nbc\n") == [text("a"), text(""), text("bc")])
    }

    @Test("what follows the last newline is a line")
    func last() throws {
        #expect(try lines("a\nbc") == [text("a"), text("bc")])
        #expect(try lines("") == [])
    }

    @Test("a line at the limit is taken, one byte more is skipped, and the next one is read")
    func limit() throws {
        #expect(try lines("12345678\nx\n") == [text("12345678"), text("x")])
        #expect(try lines("123456789\nx\n") == [.tooLong, text("x")])
        #expect(try lines("123456789") == [.tooLong])
    }

    @Test("a line longer than every buffer is skipped whole")
    func long() throws {
        let long = String(repeating: "a", count: 300_000)
        #expect(try lines(long + "\nx\n") == [.tooLong, text("x")])
        #expect(try lines(long + "\nx\n", limit: 300_000) == [text(long), text("x")])
    }

    @Test("lines that are there already come without waiting")
    func ready() throws {
        let pipe = Pipe()
        var reader = LineReader(
            OpenFile(owning: dup(pipe.fileHandleForReading.fileDescriptor), path: "pipe"),
            limit: 8)
        #expect(try reader.nextReady() == nil)
        pipe.fileHandleForWriting.write(Data("a\nb\nc".utf8))
        #expect(try reader.next() == text("a"))
        #expect(try reader.nextReady() == text("b"))
        #expect(try reader.nextReady() == nil)
        try pipe.fileHandleForWriting.close()
        #expect(try reader.nextReady() == text("c"))
        #expect(try reader.nextReady() == nil)
        #expect(try reader.next() == nil)
    }
}
