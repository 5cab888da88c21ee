import Foundation
import Libcrypto
import StrictJSON
import Testing

@testable import Ledger

@Suite struct LogVerifierTests {
    private func fault(_ change: (inout [[UInt8]]) -> Void) throws -> LogFault? {
        let fixture = try LogFixture(lines: 6)
        var lines = try fixture.lines()
        change(&lines)
        try fixture.write(lines: lines)
        let report = try fixture.log.verify()
        // Reading stops at the same place or one line later.
        if let found = report.fault {
            #expect(throws: LedgerError.self) { try fixture.texts() }
            #expect(report.tip.lines <= found.line)
        } else {
            #expect(try fixture.texts().count == lines.count)
        }
        return report.fault
    }

    private static func edit(_ line: [UInt8]) -> [UInt8] {
        [UInt8](String(decoding: line, as: UTF8.self).replacing("line", with: "LINE").utf8)
    }

    @Test func `A whole log has no fault`() throws {
        #expect(try fault { _ in } == nil)
    }

    @Test("A changed line is named", arguments: 0..<5)
    func changed(index: Int) throws {
        let found = try fault { $0[index] = LogVerifierTests.edit($0[index]) }
        #expect(found == LogFault(line: index + 1, kind: .changed))
    }

    @Test("A line whose chaining was changed is named", arguments: 0..<5)
    func changedChaining(index: Int) throws {
        let found = try fault { lines in
            let text = String(decoding: lines[index], as: UTF8.self)
            let start = text.range(of: #""prev":""#)?.upperBound ?? text.startIndex
            let digit = text[start] == "f" ? "e" : "f"
            lines[index] = [UInt8](
                (text[..<start] + digit + text[text.index(after: start)...]).utf8)
        }
        #expect(found == LogFault(line: index + 1, kind: .changed))
    }

    @Test("A missing line is named", arguments: 0..<5)
    func missing(index: Int) throws {
        let found = try fault { $0.remove(at: index) }
        #expect(found == LogFault(line: index + 1, kind: .missing(count: 1)))
    }

    @Test func `Several missing lines are counted`() throws {
        let found = try fault { $0.removeSubrange(1..<4) }
        #expect(found == LogFault(line: 2, kind: .missing(count: 3)))
    }

    @Test("Lines that changed places are named", arguments: 0..<5)
    func reordered(index: Int) throws {
        let found = try fault { $0.swapAt(index, index + 1) }
        #expect(found == LogFault(line: index + 1, kind: .reordered))
    }

    @Test func `A line that stands twice is named`() throws {
        let found = try fault { $0.insert($0[2], at: 3) }
        #expect(found == LogFault(line: 4, kind: .reordered))
    }

    @Test(
        "A line that is no line of a log is named",
        arguments: [
            "", "[]", "{}", "x", #"{"format":1}"#, #"{"format":1,"seq":3}"#,
            #"{"format":1,"prev":"00","seq":3}"#, #"{"format":1,"format":1}"#,
        ])
    func unreadable(text: String) throws {
        let found = try fault { $0[2] = [UInt8](text.utf8) }
        #expect(found == LogFault(line: 3, kind: .unreadable))
    }

    @Test func `A format that is not known is named and not guessed`() throws {
        let found = try fault {
            $0[2] = [UInt8](
                String(decoding: $0[2], as: UTF8.self)
                    .replacing(#""format":1"#, with: #""format":2"#).utf8)
        }
        #expect(found == LogFault(line: 3, kind: .unknownFormat))
    }

    @Test func `A line that is too long is named`() throws {
        let fixture = try LogFixture(lines: 3, lineLimit: 300)
        var lines = try fixture.lines()
        lines[1] = [UInt8](repeating: 0x78, count: 301)
        try fixture.write(lines: lines)
        #expect(try fixture.log.verify().fault == LogFault(line: 2, kind: .unreadable))
    }

    @Test func `A cut end shows only against a head that was kept`() throws {
        let fixture = try LogFixture(lines: 6)
        let lines = try fixture.lines()
        let head = try fixture.log.tip().head
        try fixture.write(lines: Array(lines[..<4]))
        let without = try fixture.log.verify()
        #expect(without.fault == nil)
        #expect(without.headLine == nil)
        let against = try fixture.log.verify(head: head)
        #expect(against.fault == LogFault(line: 4, kind: .headNotFound))
        #expect(against.headLine == nil)
    }

    @Test func `A changed last line shows only against a head that was kept`() throws {
        let fixture = try LogFixture(lines: 3)
        let head = try fixture.log.tip().head
        var lines = try fixture.lines()
        lines[2] = LogVerifierTests.edit(lines[2])
        try fixture.write(lines: lines)
        #expect(try fixture.log.verify().fault == nil)
        #expect(
            try fixture.log.verify(head: head).fault == LogFault(line: 3, kind: .headNotFound))
    }

    @Test func `A head from before the log grew is found with its line`() throws {
        let fixture = try LogFixture(lines: 3)
        let head = try fixture.log.tip().head
        for _ in 0..<4 { try fixture.log.append(LogFixture.record("more")) }
        let report = try fixture.log.verify(head: head)
        #expect(report.fault == nil)
        #expect(report.headLine == 3)
        #expect(report.tip == (try fixture.log.tip()))
        #expect(try fixture.log.verify(head: .zero).headLine == 0)
    }

    @Test func `A log that was taken away shows against any head but that of nothing`() throws {
        let fixture = try LogFixture(lines: 1)
        let head = try fixture.log.tip().head
        let other = try LogFixture()
        #expect(
            try other.log.verify(head: head).fault == LogFault(line: 0, kind: .headNotFound))
        #expect(try other.log.verify(head: .zero).fault == nil)
    }

    @Test func `A log of many lines is read in pieces`() throws {
        let fixture = try LogFixture()
        for group in 0..<40 {
            let records = (0..<64).map {
                LogFixture.record("\(group) \($0) " + String(repeating: "x", count: 500))
            }
            try fixture.log.append(contentsOf: records)
        }
        let report = try fixture.log.verify()
        #expect(report.fault == nil)
        #expect(report.tip.lines == 2560)
        var lines = try fixture.lines()
        lines[1999] = [UInt8](
            String(decoding: lines[1999], as: UTF8.self).replacing("xxx", with: "yyy").utf8)
        try fixture.write(lines: lines)
        #expect(try fixture.log.verify().fault == LogFault(line: 2000, kind: .changed))
    }
}
