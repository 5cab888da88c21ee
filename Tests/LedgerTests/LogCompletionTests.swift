import Libcrypto
import StrictJSON
import Testing

@testable import Ledger

@Suite struct LogCompletionTests {
    /// A log of three lines without the last newline.
    private func cut() throws -> (LogFixture, [UInt8]) {
        let fixture = try LogFixture(lines: 3)
        let whole = try fixture.bytes()
        try fixture.write(Array(whole.dropLast()))
        return (fixture, whole)
    }

    @Test func `A last line that lacks only its newline is kept, and told`() throws {
        let (fixture, _) = try cut()
        let receipt = try fixture.log.append(LogFixture.record("next"))
        #expect(receipt.mended == .completed(line: 3))
        #expect(receipt.repair == nil)
        #expect(try fixture.texts() == ["line 1", "line 2", "line 3", "next"])
        #expect(try fixture.log.verify().fault == nil)
    }

    @Test func `Who has read the log without that line decides again`() throws {
        let (fixture, whole) = try cut()
        let tip = try fixture.log.tip()
        #expect(tip.lines == 2)
        let error = #expect(throws: LedgerError.self) {
            try fixture.log.append(LogFixture.record("next"), expecting: tip.head)
        }
        guard case .headMoved(_, .completed(3)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try fixture.bytes() == whole)
    }

    @Test func `Who has read the log before a torn line was removed is told of it, too`() throws {
        let fixture = try LogFixture(lines: 2)
        let tip = try fixture.log.tip()
        try fixture.append(bytes: LogRepairTests.torn)
        let error = #expect(throws: LedgerError.self) {
            try fixture.log.append(LogFixture.record("next"), expecting: tip.head)
        }
        guard case .headMoved(_, .removed(let repair)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(repair.count == LogRepairTests.torn.count)
    }

    @Test("What is no next line of the chain is removed", arguments: [0, 1])
    func otherChain(line: Int) throws {
        let fixture = try LogFixture(lines: 3)
        let lines = try fixture.lines()
        try fixture.write(lines: Array(lines[..<2]))
        try fixture.append(bytes: lines[line])
        let receipt = try fixture.log.append(LogFixture.record("next"))
        #expect(receipt.repair?.count == lines[line].count)
        #expect(try fixture.texts() == ["line 1", "line 2", "log.repaired", "next"])
    }
}
