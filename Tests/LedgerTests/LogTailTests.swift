import Libcrypto
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@testable import Ledger

/// Reading on from where another reader ended.
@Suite struct LogTailTests {
    private let fixture: LogFixture

    init() throws {
        fixture = try LogFixture(lines: 3)
    }

    /// The texts of what is read, and where that ends.
    private func read(
        after position: LogPosition? = nil
    ) throws -> (texts: [String], isTail: Bool, position: LogPosition?) {
        var reader = try fixture.log.reader(after: position)
        var texts: [String] = []
        while let line = try reader.next() { texts.append(line.root["text"]?.string ?? "?") }
        return (texts, reader.isTail, reader.position)
    }

    private func write(_ bytes: [UInt8]) throws {
        let file = try OutputFile(at: fixture.log.path, replacing: true, permissions: 0o600)
        try file.commit(bytes)
    }

    @Test func `Only what was added since is read, and its chain is checked from there on`() throws
    {
        let first = try read()
        #expect(first.texts == ["line 1", "line 2", "line 3"])
        #expect(!first.isTail)
        #expect(try read(after: first.position).texts.isEmpty)
        try fixture.log.append(LogFixture.record("line 4"))
        let second = try read(after: first.position)
        #expect(second.texts == ["line 4"])
        #expect(second.isTail)
        #expect(second.position?.tip == LogTip(head: try fixture.log.tip().head, lines: 4))
        #expect(try read(after: second.position).texts.isEmpty)
    }

    @Test func `A torn end is no line, and what is written in its place is read`() throws {
        let whole = try fixture.bytes()
        try OpenFile(fixture.log.path, [.write]).writeAll(Array(#"{"te"#.utf8), at: whole.count)
        let torn = try read()
        #expect(torn.texts.count == 3)
        try fixture.log.append(LogFixture.record("line 5"))
        #expect(try read(after: torn.position).texts == ["?", "line 5"])
    }

    @Test func `Another file in its place, or a shorter one, is read from the first line on`()
        throws
    {
        let position = try read().position
        let bytes = try fixture.bytes()
        try write(bytes)
        let other = try read(after: position)
        #expect(other.texts == ["line 1", "line 2", "line 3"])
        #expect(!other.isTail)
        let lines = try fixture.lines()
        try OpenFile(fixture.log.path, [.write]).truncate(to: lines[0].count + 1)
        let cut = try read(after: other.position)
        #expect(cut.texts == ["line 1"])
        #expect(!cut.isTail)
    }

    @Test func `A tail that does not continue what was read is broken`() throws {
        let position = try read().position
        let bytes = try fixture.bytes()
        var line = try LogLine.encode(
            LogFixture.record("forged"), sequence: 4, previous: .zero)
        line.append(0x0A)
        try OpenFile(fixture.log.path, [.write]).writeAll(line, at: bytes.count)
        #expect(throws: LedgerError.broken(LogFault(line: 4, kind: .changed))) {
            try read(after: position)
        }
    }
}
