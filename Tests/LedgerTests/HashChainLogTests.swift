import Libcrypto
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@testable import Ledger

@Suite struct HashChainLogTests {
    @Test func `Each line names the digest of the line before, the first one zeros`() throws {
        let fixture = try LogFixture(lines: 3)
        let lines = try fixture.lines()
        #expect(lines.count == 3)
        var previous = [UInt8](String(repeating: "0", count: 64).utf8)
        for (index, line) in lines.enumerated() {
            let root = try JSONDocument.parse(line).root
            #expect(root["prev"]?.utf8 == previous)
            #expect(root["seq"]?.integer == Int64(index + 1))
            #expect(root["format"]?.integer == 1)
            #expect(root["text"]?.string == "line \(index + 1)")
            previous = [UInt8](SHA256.digest(line).hex.utf8)
        }
        #expect(try fixture.bytes().last == 0x0A)
    }

    @Test func `The receipt and the tip agree with the file`() throws {
        let fixture = try LogFixture(lines: 1)
        let receipt = try fixture.log.append(LogFixture.record("two"))
        let lines = try fixture.lines()
        #expect(receipt.tip == LogTip(head: SHA256.digest(lines[1]), lines: 2))
        #expect(receipt.digests == [SHA256.digest(lines[1])])
        #expect(receipt.repair == nil)
        #expect(try fixture.log.tip() == receipt.tip)
    }

    @Test func `A log that does not exist has no lines and is not made by looking`() throws {
        let fixture = try LogFixture()
        #expect(try fixture.log.tip() == LogTip(head: .zero, lines: 0))
        #expect(try fixture.texts() == [])
        #expect(try fixture.log.verify().fault == nil)
        #expect(try FileSystem.statusIfPresent(of: fixture.folder.file("state")) == nil)
    }

    @Test func `The file is for the user alone, in folders that are too`() throws {
        let fixture = try LogFixture(lines: 1)
        #expect(try FileSystem.status(of: fixture.log.path).permissions == 0o600)
        #expect(try FileSystem.status(of: fixture.log.path.parent).permissions == 0o700)
    }

    @Test func `A group is added together, in order, 64 and not one more`() throws {
        let fixture = try LogFixture(lines: 1)
        let records = (1...64).map { LogFixture.record("\($0)") }
        let receipt = try fixture.log.append(contentsOf: records)
        #expect(receipt.tip.lines == 65)
        #expect(receipt.digests.count == 64)
        #expect(receipt.digests.last == receipt.tip.head)
        #expect(try fixture.texts() == ["line 1"] + (1...64).map { "\($0)" })
        #expect(throws: LedgerError.groupTooLarge(limit: 64)) {
            try fixture.log.append(contentsOf: records + records)
        }
        #expect(try fixture.log.append(contentsOf: []).tip == receipt.tip)
        #expect(try fixture.log.verify().fault == nil)
    }

    @Test func `What a record says of the chain itself does not count`() throws {
        let fixture = try LogFixture()
        try fixture.log.append(
            .object([("prev", .string("x")), ("seq", .integer(9)), ("format", .integer(2))]))
        #expect(try fixture.log.verify().fault == nil)
    }

    @Test func `A record that was read can be added again; what is no object cannot`() throws {
        let fixture = try LogFixture()
        let document = try JSONDocument.parse([UInt8](#"{"text":"a"}"#.utf8))
        try fixture.log.append(.element(document.root))
        #expect(try fixture.texts() == ["a"])
        #expect(throws: LedgerError.notAnObject) { try fixture.log.append(.string("a")) }
        #expect(throws: LedgerError.notAnObject) {
            try fixture.log.append(
                contentsOf: [
                    LogFixture.record("b"), .element(document.root["text"] ?? document.root),
                ])
        }
        #expect(try fixture.texts() == ["a"])
    }

    @Test func `A line of the limit is added and read, one byte more is not`() throws {
        let fixture = try LogFixture(lineLimit: 200)
        let room =
            try 200 - LogLine.encode(LogFixture.record(""), sequence: 1, previous: .zero).count
        let text = String(repeating: "x", count: room)
        try fixture.log.append(LogFixture.record(text))
        #expect(try fixture.lines()[0].count == 200)
        #expect(try fixture.texts() == [text])
        #expect(try fixture.log.tip().lines == 1)
        #expect(throws: LedgerError.lineTooLong(limit: 200)) {
            try fixture.log.append(LogFixture.record(text + "x"))
        }
        #expect(try fixture.lines().count == 1)
    }

    @Test func `With an expected head only a log that has not grown is added to`() throws {
        let fixture = try LogFixture(lines: 2)
        let tip = try fixture.log.tip()
        let grown = try fixture.log.append(LogFixture.record("a"), expecting: tip.head)
        #expect(throws: LedgerError.headMoved(grown.tip.head)) {
            try fixture.log.append(LogFixture.record("b"), expecting: tip.head)
        }
        #expect(try fixture.lines().count == 3)
        let empty = try LogFixture()
        try empty.log.append(LogFixture.record("a"), expecting: .zero)
        #expect(throws: LedgerError.self) {
            try empty.log.append(LogFixture.record("b"), expecting: .zero)
        }
    }

    @Test func `A link or a folder in its place is refused`() throws {
        let fixture = try LogFixture()
        try fixture.folder.folder("state")
        try fixture.folder.write("elsewhere")
        try fixture.folder.link("state/audit.ndjson", to: "../elsewhere")
        #expect(throws: LedgerError.unwritten(.isLink(fixture.log.path))) {
            try fixture.log.append(LogFixture.record("a"))
        }
        #expect(throws: LedgerError.file(.isLink(fixture.log.path))) { try fixture.log.tip() }
        try FileSystem.removeFile(fixture.log.path)
        try FileSystem.createFolder(fixture.log.path, permissions: 0o700)
        #expect(throws: LedgerError.self) { try fixture.log.append(LogFixture.record("a")) }
        #expect(throws: LedgerError.file(.notRegular(fixture.log.path, .folder))) {
            try fixture.log.tip()
        }
    }

    @Test func `A log that is locked is waited for, then refused with the holder`() throws {
        let fixture = try LogFixture(lines: 1)
        let log = HashChainLog(at: fixture.log.path, lockWaitNanoseconds: 50_000_000)
        let lock = try FileLock(
            locking: try OpenFile(log.path, []), waitingNanoseconds: 0)
        let locked = FileError.locked(log.path, holder: UserIdentity.processID)
        #expect(throws: LedgerError.unwritten(locked)) {
            try log.append(LogFixture.record("a"))
        }
        #expect(throws: LedgerError.file(locked)) { try log.tip() }
        _ = consume lock
        try log.append(LogFixture.record("a"))
    }

    @Test func `A last line that is not ours stops the next append`() throws {
        let fixture = try LogFixture(lines: 2)
        try fixture.append(bytes: [UInt8]("{}\n".utf8))
        let before = try fixture.bytes()
        #expect(throws: LedgerError.broken(LogFault(line: 3, kind: .unreadable))) {
            try fixture.log.append(LogFixture.record("a"))
        }
        #expect(try fixture.bytes() == before)
    }

    @Test(.enabled(if: Program.isRoot, "mounting a small file system needs root"))
    func `On a full disk nothing of a line stays, and there is room again for the next`() throws {
        let folder = try TestFolder()
        guard let small = try SmallFileSystem(folder) else { return }
        let log = HashChainLog(at: small.path.appending("audit.ndjson"), lineLimit: 1 << 20)
        try log.append(LogFixture.record("first"))
        let before = try readFile(log.path, limit: 1 << 21)
        let filler = small.path.appending("filler")
        let file = try OpenFile(filler, [.write, .create])
        while (try? file.writeAll([UInt8](repeating: 0, count: 4096))) != nil {}
        var refused = false
        for number in 0..<100 where !refused {
            do {
                try log.append(
                    LogFixture.record(String(repeating: "x", count: 10_000) + "\(number)"))
            } catch {
                refused = true
                guard case .unwritten(let error) = error else { throw error }
                #expect(error.number == .noSpace)
            }
        }
        #expect(refused)
        let kept = try readFile(log.path, limit: 1 << 21)
        #expect(kept.starts(with: before))
        #expect(kept.last == 0x0A)
        try FileSystem.removeFile(filler)
        try file.truncate(to: 0)
        #expect(try log.append(LogFixture.record("again")).repair == nil)
        #expect(try log.verify().fault == nil)
    }
}
