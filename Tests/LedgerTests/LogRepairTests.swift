import Libcrypto
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@testable import Ledger

@Suite struct LogRepairTests {
    static let torn = [UInt8](#"{"format":1,"prev":"ab"#.utf8)

    @Test func `A torn last line is reported by reading, which changes nothing`() throws {
        let fixture = try LogFixture(lines: 2)
        try fixture.append(bytes: LogRepairTests.torn)
        let before = try fixture.bytes()
        let report = try fixture.log.verify()
        #expect(report.fault == nil)
        #expect(report.tornBytes == LogRepairTests.torn.count)
        #expect(report.tip.lines == 2)
        #expect(try fixture.log.tip().lines == 2)
        #expect(try fixture.texts() == ["line 1", "line 2"])
        #expect(try fixture.bytes() == before)
    }

    @Test func `The next append removes it, says so in the log and in the receipt`() throws {
        let fixture = try LogFixture(lines: 2)
        let offset = try fixture.bytes().count
        try fixture.append(bytes: LogRepairTests.torn)
        let receipt = try fixture.log.append(LogFixture.record("next"))
        let repair = try #require(receipt.repair)
        #expect(repair.offset == offset)
        #expect(repair.count == LogRepairTests.torn.count)
        #expect(repair.digest == SHA256.digest(LogRepairTests.torn).hex)
        #expect(try fixture.texts() == ["line 1", "line 2", "log.repaired", "next"])
        let report = try fixture.log.verify()
        #expect(report.fault == nil)
        #expect(report.tornBytes == 0)
        #expect(report.repairs == 1)
        #expect(report.tip == receipt.tip)
        #expect(try FileSystem.statusIfPresent(of: fixture.aside) == nil)
        #expect(try fixture.log.append(LogFixture.record("more")).repair == nil)
        // What was cut off is there for who wants to know.
        let kept = FilePath("\(fixture.aside).\(repair.digest.prefix(16))")
        let bytes = try readFile(kept, limit: 65_536)
        #expect(Array(bytes.suffix(LogRepairTests.torn.count)) == LogRepairTests.torn)
    }

    @Test(arguments: [
        #"{"payload":"e30","protected":"e30","signature":"AA"}"#, #"{"payload":"e30","protec"#,
        "[]", "hello", #"{"a":1}"#, "{}", #"{"format":1,"seq":1}"#, #"{"Event":"x"#, " ",
        #"{"event":"x"}"# + "\n" + #"{"event":"#,
        #"{"format":1,"prev":"00","seq":1}"# + "\nx",
    ])
    func `A file that is no log is never touched`(_ text: String) throws {
        let fixture = try LogFixture(lines: 1)
        try fixture.write(Array(text.utf8))
        #expect(throws: LedgerError.self) { try fixture.log.append(LogFixture.record("next")) }
        #expect(try fixture.bytes() == Array(text.utf8))
        #expect(try FileSystem.names(in: fixture.log.path.parent) == ["audit.ndjson"])
    }

    @Test(arguments: ["{", #"{""#, #"{"ev"#, #"{"event":"cl"#, #"{"format":1,"pre"#, "\0\0\0"])
    func `The beginning of a first line is a torn one`(_ text: String) throws {
        let fixture = try LogFixture(lines: 1)
        try fixture.write(Array(text.utf8))
        try fixture.log.append(LogFixture.record("next"))
        #expect(try fixture.texts() == ["log.repaired", "next"])
    }

    @Test func `What is aside does not let a file that is no log be cut`() throws {
        let fixture = try LogFixture(lines: 1)
        _ = try putAside(fixture, offset: 0)
        let text = Array(#"{"payload":"e30","protected":"e30","signature":"AA"}"#.utf8)
        try fixture.write(text)
        #expect(throws: LedgerError.self) { try fixture.log.append(LogFixture.record("next")) }
        #expect(try fixture.bytes() == text)
    }

    @Test func `A torn first line is repaired too`() throws {
        let fixture = try LogFixture(lines: 1)
        try fixture.write(LogRepairTests.torn)
        try fixture.log.append(LogFixture.record("next"))
        #expect(try fixture.texts() == ["log.repaired", "next"])
        #expect(try fixture.log.verify().fault == nil)
    }

    @Test("A line torn at any byte is repaired", arguments: [1, 2, 50, 108, 109])
    func anywhere(kept: Int) throws {
        let fixture = try LogFixture(lines: 3)
        let lines = try fixture.lines()
        let last = Array(lines[2].prefix(kept))
        try fixture.write(lines: Array(lines[..<2]))
        try fixture.append(bytes: last)
        try fixture.log.append(LogFixture.record("next"))
        #expect(try fixture.texts() == ["line 1", "line 2", "log.repaired", "next"])
        #expect(try fixture.log.verify().fault == nil)
    }

    @Test func `Zeros that a power cut left are repaired like a torn line`() throws {
        let fixture = try LogFixture(lines: 2, lineLimit: 300)
        try fixture.append(bytes: [UInt8](repeating: 0, count: 100_000))
        let receipt = try fixture.log.append(LogFixture.record("next"))
        #expect(receipt.repair?.count == 100_000)
        #expect(try fixture.log.verify().fault == nil)
    }

    /// The file aside as a repair that was killed leaves it.
    private func putAside(_ fixture: LogFixture, offset: Int) throws -> LogRepair {
        let repair = LogRepair(
            offset: offset, count: LogRepairTests.torn.count, torn: LogRepairTests.torn, time: 5)
        try fixture.folder.write(
            "state/audit.ndjson.torn", repair.aside(LogRepairTests.torn), permissions: 0o600)
        return repair
    }

    @Test func `A repair that was killed after putting the line aside is ended`() throws {
        let fixture = try LogFixture(lines: 2)
        let repair = try putAside(fixture, offset: try fixture.bytes().count)
        try fixture.append(bytes: LogRepairTests.torn)
        #expect(try fixture.log.append(LogFixture.record("next")).repair == repair)
        #expect(try fixture.texts() == ["line 1", "line 2", "log.repaired", "next"])
    }

    @Test func `A repair that was killed after cutting the line is ended`() throws {
        let fixture = try LogFixture(lines: 2)
        let repair = try putAside(fixture, offset: try fixture.bytes().count)
        #expect(try fixture.log.append(LogFixture.record("next")).repair == repair)
        #expect(try fixture.texts() == ["line 1", "line 2", "log.repaired", "next"])
    }

    @Test func `A repair whose own line is torn is ended with that line once`() throws {
        let fixture = try LogFixture(lines: 2)
        let repair = try putAside(fixture, offset: try fixture.bytes().count)
        let line = try LogLine.encode(
            repair.record, sequence: 3, previous: try fixture.log.tip().head)
        try fixture.append(bytes: Array(line.prefix(40)))
        #expect(try fixture.log.append(LogFixture.record("next")).repair == repair)
        #expect(try fixture.texts() == ["line 1", "line 2", "log.repaired", "next"])
    }

    @Test func `A repair that was killed before removing the file aside is not made twice`() throws
    {
        let fixture = try LogFixture(lines: 2)
        let repair = try putAside(fixture, offset: try fixture.bytes().count)
        let line = try LogLine.encode(
            repair.record, sequence: 3, previous: try fixture.log.tip().head)
        try fixture.append(bytes: line + [0x0A])
        #expect(try fixture.log.append(LogFixture.record("next")).repair == nil)
        #expect(try fixture.texts() == ["line 1", "line 2", "log.repaired", "next"])
        #expect(try FileSystem.statusIfPresent(of: fixture.aside) == nil)
    }

    @Test func `What is aside of another log, or is no such file, changes nothing`() throws {
        let fixture = try LogFixture(lines: 2)
        _ = try putAside(fixture, offset: 7)
        #expect(try fixture.log.append(LogFixture.record("3")).repair == nil)
        try fixture.folder.write("state/audit.ndjson.torn", "nonsense")
        #expect(try fixture.log.append(LogFixture.record("4")).repair == nil)
        #expect(try fixture.texts() == ["line 1", "line 2", "3", "4"])
    }

    @Test func `A repair killed before any call loses no line and is recorded exactly once`()
        throws
    {
        let fixture = try LogFixture(lines: 2)
        let whole = try fixture.bytes()
        let helper = try Program.helper()
        let words = [helper, "append", fixture.log.path.description, "1"]
        let kills = try KillPoints.run(words) {
            try fixture.write(whole + LogRepairTests.torn)
            try FileSystem.removeFile(fixture.aside)
        } after: { call in
            let again = try Program.run(words)
            #expect(again.isSuccess)
            let texts = try fixture.texts()
            #expect(texts.prefix(2) == ["line 1", "line 2"])
            #expect(texts.count { $0 == "log.repaired" } == 1, "after \(call): \(texts)")
            #expect(try fixture.log.verify().fault == nil)
            #expect(try fixture.log.verify().tornBytes == 0)
            let names = Set(try FileSystem.names(in: fixture.log.path.parent))
            let kept = "audit.ndjson.torn.\(SHA256.digest(LogRepairTests.torn).hex.prefix(16))"
            #expect(names == ["audit.ndjson", FilePath(kept)], "after \(call)")
        }
        guard let kills else { return }
        #expect(kills > 10)
        print("repair: \(kills) kills")
    }
}
