import Foundation
import Libcrypto
import LinuxIO
import TestSupport
import Testing

@testable import Ledger

/// Many writers at once, and writers that are killed.
@Suite struct LogAppenderTests {
    private func start(
        _ fixture: LogFixture, lines: Int, group: Int
    ) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.Command([
                FilePath(try Program.helper()), "append", fixture.log.path, FilePath("\(lines)"),
                FilePath("\(group)"),
            ]), outputLimit: 1 << 20)
    }

    /// The last lines and digests that a writer said it had added, up to its end or to a count.
    private func acknowledged(
        _ child: inout ChildProcess, atMost count: Int = .max
    ) throws -> [(Int, SHA256Digest)] {
        var all: [(Int, SHA256Digest)] = []
        let soon = SystemClock.deadline(after: 60_000_000_000)
        while all.count < count, let line = try child.readLine(deadline: soon) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count >= 2, let number = Int(words[0]),
                let digest = SHA256Digest(hex: String(words[1]))
            else { continue }
            all.append((number, digest))
        }
        return all
    }

    @Test func `Processes and threads that append at once lose nothing and break no chain`() throws
    {
        let fixture = try LogFixture()
        let failures = Counter()
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do {
                if number < 4 {
                    var child = try start(fixture, lines: 60, group: number + 1)
                    #expect(try acknowledged(&child).count == (60 + number) / (number + 1))
                } else {
                    let log = HashChainLog(
                        at: fixture.log.path, lockWaitNanoseconds: 60_000_000_000)
                    for line in 0..<60 { try log.append(LogFixture.record("\(number) \(line)")) }
                }
            } catch {
                failures.add()
            }
        }
        #expect(failures.value == 0)
        let report = try fixture.log.verify()
        #expect(report.fault == nil)
        #expect(report.tip.lines == 480)
        let texts = try fixture.texts()
        for number in 4..<8 {
            let own = texts.filter { $0.hasPrefix("\(number) ") }
            #expect(own == (0..<60).map { "\(number) \($0)" })
        }
    }

    @Test func `Readers beside writers never see a torn line or a broken chain`() throws {
        let fixture = try LogFixture()
        var child = try start(fixture, lines: 300, group: 7)
        var seen = 0
        while seen < 300 {
            let report = try fixture.log.verify()
            #expect(report.fault == nil)
            #expect(report.tornBytes == 0)
            #expect(report.tip.lines >= seen)
            seen = report.tip.lines
        }
        _ = try acknowledged(&child)
    }

    @Test func `What was acknowledged before a kill stands in the log`() throws {
        let fixture = try LogFixture()
        var promised: [(Int, SHA256Digest)] = []
        for round in 0..<25 {
            var child = try start(fixture, lines: 100_000, group: 1 + round % 5)
            // It is at work, however slowly it came to it.
            promised += try acknowledged(&child, atMost: 2)
            SystemClock.sleep(nanoseconds: UInt64(round) * 1_700_000)
            kill(child.processID, SIGKILL)
            promised += try acknowledged(&child)
        }
        try fixture.log.append(LogFixture.record("end"))
        let report = try fixture.log.verify()
        #expect(report.fault == nil)
        #expect(report.tornBytes == 0)
        var digests: [SHA256Digest] = []
        var reader = try fixture.log.reader()
        while let line = try reader.next() { digests.append(line.digest) }
        #expect(promised.count > 25)
        for (number, digest) in promised { #expect(digests[number - 1] == digest) }
        print(
            "kill -9: \(promised.count) acknowledged, \(digests.count) lines, \(report.repairs) repairs"
        )
    }

    @Test func `An append killed before any call leaves the log whole`() throws {
        let fixture = try LogFixture(lines: 2)
        let whole = try fixture.bytes()
        let words = [
            try Program.helper(), "append", fixture.log.path.description, "3", "3",
        ]
        var (without, with) = (0, 0)
        let kills = try KillPoints.run(words) {
            try fixture.write(whole)
        } after: { call in
            let report = try fixture.log.verify()
            #expect(report.fault == nil, "after \(call)")
            #expect(report.tornBytes == 0)
            if report.tip.lines == 2 { without += 1 } else { with += 1 }
            #expect(report.tip.lines == 2 || report.tip.lines == 5)
            #expect(try fixture.log.append(LogFixture.record("next")).repair == nil)
        }
        guard let kills else { return }
        #expect(kills > 2)
        #expect(without > 0 && with > 0)
        print("append: \(kills) kills, \(without) without the lines, \(with) with them")
    }

    @Test func `The first append killed before any call leaves no log or a whole one`() throws {
        let fixture = try LogFixture()
        let words = [try Program.helper(), "append", fixture.log.path.description, "1"]
        let kills = try KillPoints.run(words) {
            try? FileManager.default.removeItem(atPath: fixture.folder.file("state").description)
        } after: { call in
            #expect(try fixture.log.verify().fault == nil, "after \(call)")
            let again = try Program.run(words)
            #expect(again.isSuccess)
            #expect(try fixture.log.verify().fault == nil)
            #expect(try FileSystem.status(of: fixture.log.path).permissions == 0o600)
            #expect(
                try FileSystem.status(of: fixture.folder.file("state")).permissions == 0o700)
        }
        guard let kills else { return }
        #expect(kills > 6)
    }
}
