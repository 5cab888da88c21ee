import Foundation
import LinuxIO
import TestSupport
import Testing

/// What a child started, and what becomes of both when one of them or this process ends.
@Suite struct ChildGroupTests {
    /// Starts something that hears no SIGTERM, and tells both numbers.
    private static let deaf = "trap '' TERM INT HUP QUIT USR1; sleep 30 & echo $$ $!; wait; wait"

    /// The test helper, and the numbers of its child and of what that started.
    private struct Family: ~Copyable {
        var parent: ChildProcess
        let numbers: [Int32]
    }

    private func soon(_ seconds: Double = 60) -> UInt64 {
        SystemClock.deadline(after: UInt64(seconds * 1e9))
    }

    /// Whether a process is there and no zombie, which nobody may have waited for.
    private func runs(_ process: Int32) -> Bool {
        guard let bytes = try? readFile(FilePath("/proc/\(process)/stat"), limit: 4096) else {
            return false
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let state = text.split(separator: ")").last?.split(separator: " ").first
        return state != "Z" && state != "X"
    }

    private func end(of process: Int32) -> Bool {
        for _ in 0..<200 where runs(process) { SystemClock.sleep(nanoseconds: 10_000_000) }
        return !runs(process)
    }

    /// The test helper with a child, and the numbers that the child tells.
    private func start(
        _ words: [String], ignoring signal: String? = nil
    ) throws -> Family {
        let helper = try Program.helper()
        let before =
            signal.map { ["sh", "-c", "trap '' \($0); exec \"$@\"", "sh"] } ?? []
        var parent = try ChildProcess(
            ChildProcess.Command((before + [helper, "child"] + words).map { FilePath($0) }),
            outputLimit: 10_000)
        let line = try parent.readLine(deadline: soon()) ?? []
        let numbers = String(decoding: line, as: UTF8.self).split(separator: " ")
            .compactMap { Int32($0) }
        try #require(numbers.count == 2, "\(String(decoding: line, as: UTF8.self))")
        return Family(parent: parent, numbers: numbers)
    }

    @Test(
        "A signal that ends this process ends its child first, with all of the child's group",
        arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGALRM])
    func signals(signal: Int32) throws {
        var family = try start(["group", "200", "sh", "-c", Self.deaf])
        let numbers = family.numbers
        #expect(numbers.allSatisfy(runs))
        kill(family.parent.processID, signal)
        let exit = try family.parent.finish(deadline: soon())
        #expect(exit == .signalled(signal))
        #expect(numbers.allSatisfy(end))
    }

    @Test func `A child without a group of its own is ended, and nobody else`() throws {
        var family = try start(["alone", "100", "sh", "-c", Self.deaf])
        let numbers = family.numbers
        kill(family.parent.processID, SIGTERM)
        let exit = try family.parent.finish(deadline: soon())
        #expect(exit == .signalled(SIGTERM))
        #expect(end(of: numbers[0]))
        #expect(runs(numbers[1]))
        kill(numbers[1], SIGKILL)
    }

    @Test func `A child has the time to end its own children`() throws {
        let helper = try Program.helper()
        var family = try start([
            "alone", "5000", helper, "child", "group", "300", "sh", "-c", Self.deaf,
        ])
        let numbers = family.numbers
        kill(family.parent.processID, SIGTERM)
        let exit = try family.parent.finish(deadline: soon())
        #expect(exit == .signalled(SIGTERM))
        #expect(numbers.allSatisfy(end))
    }

    @Test func `A signal that is ignored, as by nohup, ends nobody`() throws {
        var family = try start(["group", "200", "sh", "-c", Self.deaf], ignoring: "HUP")
        let numbers = family.numbers
        kill(family.parent.processID, SIGHUP)
        SystemClock.sleep(nanoseconds: 300_000_000)
        let hasEnded = try family.parent.hasEnded()
        #expect(!hasEnded)
        #expect(numbers.allSatisfy(runs))
        kill(family.parent.processID, SIGTERM)
        let exit = try family.parent.finish(deadline: soon())
        #expect(exit == .signalled(SIGTERM))
        #expect(numbers.allSatisfy(end))
    }

    @Test func `What a child leaves in its group is ended with it, after an orderly end too`()
        throws
    {
        var child = try ChildProcess(
            ChildProcess.Command(["sh", "-c", "sleep 30 & echo $!; exit 4"], hasOwnGroup: true),
            outputLimit: 100)
        let line = try child.readLine(deadline: soon()) ?? []
        let left = try #require(Int32(String(decoding: line, as: UTF8.self)))
        #expect(try child.finish(deadline: soon()) == .exited(4))
        #expect(end(of: left))
    }

    @Test(
        "What has a session of its own, or was left by a child without a group, goes on",
        arguments: [("setsid sleep 30", true), ("sleep 30", false)])
    func leftAlone(words: String, hasOwnGroup: Bool) throws {
        var child = try ChildProcess(
            ChildProcess.Command(
                ["sh", "-c", FilePath("\(words) >/dev/null 2>&1 & echo $!; sleep 0.3")],
                hasOwnGroup: hasOwnGroup), outputLimit: 100)
        let line = try child.readLine(deadline: soon()) ?? []
        let left = try #require(Int32(String(decoding: line, as: UTF8.self)))
        #expect(try child.finish(deadline: soon()) == .exited(0))
        SystemClock.sleep(nanoseconds: 100_000_000)
        #expect(runs(left))
        kill(left, SIGKILL)
    }
}
