import ExecKeys
import Foundation
import GronaFormats
import LinuxIO
import SigningKeys
import TestSupport
import Testing

/// Programs that are not there, end, or keep silent.
@Suite struct ExecProgramTests {
    private func problem(opening path: FilePath) throws -> ExecSignerError.Problem? {
        let keys = ExecKeys(owners: try TrustedOwners.current(), timeout: DurationSeconds(5))
        let kid = try #require(KeyID("a"))
        return ProgramBesideKey.problem {
            _ = try keys.open(.exec(path.description), kid: kid, expecting: nil)
        }?.program
    }

    @Test("what is no program is not started, and no shell helps")
    func start() throws {
        let folder = try TestFolder()
        try folder.write("plain", "echo '{}'\n", permissions: 0o755)
        try folder.write("locked", "#!/bin/sh\necho '{}'\n", permissions: 0o644)
        try folder.write("lost", "#!/nonexistent/sh\n", permissions: 0o755)
        try folder.folder("folder")
        for (name, number) in [
            ("absent", ErrorNumber.notFound), ("plain", .notExecutable), ("locked", .noPermission),
            ("lost", .notFound), ("folder", .noPermission), ("plain/x", .notAFolder),
            ("plain --option", .notFound),
        ] {
            #expect(try problem(opening: folder.file(name)) == .cannotStart(number), "\(name)")
        }
    }

    @Test("a program that others can change is not started; behind a link, what it leads to counts")
    func owner() throws {
        let beside = try ProgramBesideKey()
        let (folder, path) = (beside.folder, beside.program.description)
        func set(_ permissions: Int, _ path: String) throws {
            try FileManager.default.setAttributes(
                [.posixPermissions: permissions], ofItemAtPath: path)
        }
        func violation(_ path: FilePath) throws -> TrustedOwnership.Violation? {
            guard case .changeable(let violation) = try problem(opening: path) else { return nil }
            return violation
        }
        let link = try folder.link("link", to: path)
        #expect(try problem(opening: beside.program) == nil)
        #expect(try problem(opening: link) == nil)
        try set(0o775, path)
        #expect(try violation(beside.program)?.component == beside.program)
        #expect(try violation(link)?.component == beside.program)
        try set(0o755, path)
        try set(0o777, folder.path.description)
        #expect(try violation(beside.program)?.component == folder.path)
        try set(0o755, folder.path.description)
        #expect(try problem(opening: beside.program) == nil)
        #expect(beside.log().filter { $0.hasPrefix("start") }.count == 3)
    }

    @Test(
        "a device or a pipe is no program, whoever may write to it",
        arguments: ["/dev/null", "pipe"])
    func device(name: String) throws {
        let folder = try TestFolder()
        if name == "pipe" { try folder.pipe("pipe") }
        #expect(try problem(opening: folder.path.appending(name)) == .cannotStart(.noPermission))
    }

    @Test(
        "a program that ends is told with how many requests it had answered",
        arguments: [("exits", 1), ("dies-later", 3), ("killed", 1), ("mute", 1)])
    func answers(mode: String, count: Int) throws {
        let beside = try ProgramBesideKey(mode, seconds: 5)
        let key = try beside.open()
        let problem = ProgramBesideKey.problem {
            for number in 0..<10 { _ = try key.sign(ProgramBesideKey.digest(number)) }
        }
        guard case .program(let error) = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(error.answers == count)
    }

    @Test("a program of another user is not started", .enabled(if: Program.isRoot))
    func foreign() throws {
        let beside = try ProgramBesideKey()
        try beside.folder.own("kms", by: Program.nobody)
        guard case .changeable(let violation) = try problem(opening: beside.program) else {
            Issue.record("it was started")
            return
        }
        #expect(violation.reason == .foreignOwner)
    }

    @Test("a program that ends says how, and what it last wrote is there")
    func ends() throws {
        let beside = try ProgramBesideKey("exits")
        let key = try beside.open()
        let problem = ProgramBesideKey.problem { _ = try key.sign(ProgramBesideKey.digest(1)) }
        guard case .program(let error) = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(error.problem == .ended(.exited(3)))
        let words = String(decoding: error.errorOutput, as: UTF8.self)
        #expect(words.contains("no route to \u{1B}[31mhost\nsecond line"))
        let other = try ProgramBesideKey("killed")
        let killed = try other.open()
        let end = ProgramBesideKey.problem { _ = try killed.sign(ProgramBesideKey.digest(1)) }
        #expect(end?.program == .ended(.signalled(SIGKILL)))
        #expect(other.log().count == 1)
    }

    @Test("a program that ends in the middle is not started again")
    func endsLater() throws {
        let beside = try ProgramBesideKey("dies-later")
        let key = try beside.open()
        for number in 1...2 { _ = try key.sign(ProgramBesideKey.digest(number)) }
        for _ in 0..<2 {
            let problem = ProgramBesideKey.problem { _ = try key.sign(ProgramBesideKey.digest(3)) }
            #expect(problem?.program == .ended(.exited(0)))
        }
        #expect(beside.log().count == 1)
    }

    @Test(
        "silence ends at the deadline, whatever else the program does",
        arguments: ["silent", "deaf", "late"])
    func silence(mode: String) throws {
        let beside = try ProgramBesideKey(mode, seconds: 1)
        let key = try beside.open()
        let clock = ContinuousClock()
        let time = clock.measure {
            let problem = ProgramBesideKey.problem { _ = try key.sign(ProgramBesideKey.digest(1)) }
            #expect(problem?.program == .timedOut(seconds: 1))
        }
        #expect(time < .seconds(5))
        // The answer that comes late is nobody's: the program is gone, and stays so.
        SystemClock.sleep(nanoseconds: mode == "late" ? 2_500_000_000 : 0)
        let again = clock.measure {
            let problem = ProgramBesideKey.problem { _ = try key.sign(ProgramBesideKey.digest(2)) }
            #expect(problem?.program == .timedOut(seconds: 1))
        }
        #expect(again < .milliseconds(500))
        let started = beside.log()
        #expect(started.count == 1)
        let words = started[0].split(separator: " ")
        #expect(kill(Int32(words[1]) ?? 0, 0) != 0, "\(words)")
    }

    @Test("a program that closes its output and goes on is ended")
    func mute() throws {
        let beside = try ProgramBesideKey("mute")
        let key = try beside.open()
        let problem = ProgramBesideKey.problem { _ = try key.sign(ProgramBesideKey.digest(1)) }
        #expect(problem?.program == .closedOutput)
        #expect(beside.log().count == 1)
    }

    @Test("a flood on standard error hurts nobody")
    func flood() throws {
        let beside = try ProgramBesideKey("flood")
        let signer = try beside.signer()
        for number in 0..<50 { _ = try signer.sign(ProgramBesideKey.digest(number)) }
    }
}
