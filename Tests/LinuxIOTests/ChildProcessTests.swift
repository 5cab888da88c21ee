import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    private func soon(_ seconds: Double = 60) -> UInt64 {
        SystemClock.deadline(after: UInt64(seconds * 1e9))
    }

    private func run(
        _ words: [FilePath], input: [UInt8] = [], limit: Int = 1 << 24, seconds: Double = 20,
        environment: [[UInt8]]? = nil
    ) throws -> ChildProcess.Result {
        try ChildProcess.run(
            ChildProcess.Command(words, environment: environment), input: input,
            outputLimit: limit, deadline: soon(seconds))
    }

    @Test func `A program gets its arguments as bytes, its input, and is heard on both outputs`()
        throws
    {
        let odd = FilePath(bytes: [0x61, 0xFF, 0x20, 0x27])
        let result = try run(
            ["sh", "-c", "printf %s \"$1\"; cat; printf error >&2; exit 7", "sh", odd],
            input: [UInt8]("input".utf8))
        #expect(result.exit == .exited(7))
        #expect(result.output == odd.bytes + [UInt8]("input".utf8))
        #expect(result.errorOutput == [UInt8]("error".utf8))
    }

    @Test func `The environment is the one given, or this process's`() throws {
        let given = try run(["/usr/bin/env"], environment: [[UInt8]("A=1".utf8)])
        #expect(given.output == [UInt8]("A=1\n".utf8))
        let ours = try run(["/usr/bin/env"])
        #expect(ours.output.count > 20)
        #expect(try run(["/usr/bin/env"], environment: []).output == [])
    }

    @Test func `Ten megabytes in and out at once do not block`() throws {
        let input = [UInt8](repeating: 0x61, count: 10_000_000)
        let result = try run(["sh", "-c", "tee /dev/stderr"], input: input)
        #expect(result.output == input)
        #expect(result.errorOutput.count == 65_536)
        #expect(result.exit == .exited(0))
    }

    @Test func `A program that does not read its input is no failure`() throws {
        let result = try run(
            ["sh", "-c", "exec 0<&-; echo no"], input: .init(repeating: 1, count: 1_000_000))
        #expect(result.output == [UInt8]("no\n".utf8))
    }

    @Test func `Output of the limit is taken, one byte more ends it`() throws {
        #expect(try run(["head", "-c", "5000", "/dev/zero"], limit: 5000).output.count == 5000)
        #expect(throws: ChildError.outputTooLarge("head", limit: 4999)) {
            try run(["head", "-c", "5000", "/dev/zero"], limit: 4999)
        }
        #expect(throws: ChildError.outputTooLarge("cat", limit: 1 << 20)) {
            try run(["cat", "/dev/zero"], limit: 1 << 20)
        }
    }

    @Test func `Past its deadline a program is ended`() throws {
        let before = SystemClock.monotonicNanoseconds()
        #expect(throws: ChildError.timedOut("sleep")) { try run(["sleep", "30"], seconds: 0.2) }
        #expect(throws: ChildError.timedOut("sh")) {
            try run(["sh", "-c", "trap '' TERM; exec 1>&- 2>&-; sleep 3"], seconds: 0.2)
        }
        #expect(SystemClock.monotonicNanoseconds() - before < 3_000_000_000)
    }

    @Test func `A program in the background that keeps the pipes open is not waited for`() throws {
        var child = try ChildProcess(
            ChildProcess.Command(["sh", "-c", "echo done; sleep 5 & exit 3"]), outputLimit: 100)
        let before = SystemClock.monotonicNanoseconds()
        #expect(try child.readLine(deadline: soon()) == [UInt8]("done".utf8))
        #expect(try child.finish(deadline: soon()) == .exited(3))
        #expect(SystemClock.monotonicNanoseconds() - before < 2_000_000_000)
    }

    @Test func `A program that ended with its answer is not out of time for another's sake`() throws
    {
        let result = try run(
            ["sh", "-c", "sleep 20 2>/dev/null <&- & echo answer"], seconds: 5)
        #expect(result.output == [UInt8]("answer\n".utf8))
        #expect(result.exit == .exited(0))
    }

    @Test func `Past its deadline a group is ended with all that it started`() throws {
        let folder = try TemporaryFolder()
        let mark = folder.path("mark")
        let script = "(sleep 1; echo late > '\(mark)') & sleep 20"
        #expect(throws: ChildError.timedOut("sh")) {
            try ChildProcess.run(
                ChildProcess.Command(["sh", "-c", FilePath(script)], hasOwnGroup: true),
                outputLimit: 100, deadline: soon(0.3))
        }
        SystemClock.sleep(nanoseconds: 1_500_000_000)
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test func `A signal that ends a program is told`() throws {
        #expect(try run(["sh", "-c", "kill -9 $$"]).exit == .signalled(9))
    }

    @Test func `A program that does not exist, is no program or a folder cannot be started`() throws
    {
        let folder = try TestFolder()
        try folder.write("plain", "no program", permissions: 0o644)
        let cases: [(FilePath, ErrorNumber)] = [
            ("/no/such/program", .notFound), (folder.file("plain"), .noPermission),
            (folder.path, .noPermission),
        ]
        for (program, number) in cases {
            #expect(throws: ChildError.cannotStart(program, number)) { try run([program]) }
        }
        // A folder of PATH that this user may not look into makes it "permission denied".
        #expect(throws: ChildError.self) { try run(["no-such-program-in-path"]) }
        #expect(throws: ChildError.cannotStart("", .notFound)) { try run([]) }
        #expect(throws: ChildError.cannotStart("a\0b", .invalidArgument)) { try run(["a\0b"]) }
    }

    @Test func `A child has the default action for a closed pipe and no descriptors of ours`()
        throws
    {
        let folder = try TestFolder()
        let open = try OpenFile(folder.path, [.folder])
        let result = try run([
            "sh", "-c", "grep SigIgn /proc/self/status; ls /proc/self/fd | tr '\\n' ' '",
        ])
        let text = String(decoding: result.output, as: UTF8.self)
        let ignored = UInt64(text.dropFirst("SigIgn:\t".count).prefix(16), radix: 16)
        #expect(ignored.map { $0 & (1 << 12) } == 0)
        #expect(text.hasSuffix("\n0 1 2 3 "))
        _ = consume open
    }

    @Test func `Lines go out and come back one by one`() throws {
        var child = try ChildProcess(
            ChildProcess.Command(["sed", "-u", "s/^/got /"]), outputLimit: 1000)
        for number in 0..<200 {
            try child.writeLine([UInt8]("\(number)".utf8))
            #expect(try child.readLine(deadline: soon()) == [UInt8]("got \(number)".utf8))
        }
        #expect(try child.finish(deadline: soon()) == .exited(0))
        #expect(try child.readLine(deadline: soon()) == nil)
    }

    @Test func `Many lines written ahead of reading do not block`() throws {
        var child = try ChildProcess(ChildProcess.Command(["cat"]), outputLimit: 1000)
        let line = [UInt8](repeating: 0x61, count: 900)
        for _ in 0..<2000 { try child.writeLine(line) }
        for _ in 0..<2000 { #expect(try child.readLine(deadline: soon()) == line) }
        #expect(try child.finish(deadline: soon()) == .exited(0))
    }

    @Test func `A line of the limit is read, a longer one is refused`() throws {
        var child = try ChildProcess(
            ChildProcess.Command(["sh", "-c", "printf 'abcd\\nabcde\\n'"]), outputLimit: 4)
        #expect(try child.readLine(deadline: soon()) == [UInt8]("abcd".utf8))
        #expect(throws: ChildError.outputTooLarge("sh", limit: 4)) {
            try child.readLine(deadline: soon())
        }
    }

    @Test func `A line that does not come in time, and the end of the output, are told`() throws {
        var silent = try ChildProcess(ChildProcess.Command(["sleep", "20"]), outputLimit: 100)
        #expect(throws: ChildError.timedOut("sleep")) {
            try silent.readLine(deadline: soon(0.1))
        }
        var dead = try ChildProcess(
            ChildProcess.Command(["sh", "-c", "printf 'half'; exit 4"]), outputLimit: 100)
        try dead.writeLine([1])
        #expect(try dead.readLine(deadline: soon()) == [UInt8]("half".utf8))
        #expect(try dead.readLine(deadline: soon()) == nil)
        SystemClock.sleep(nanoseconds: 50_000_000)
        try dead.writeLine([2])
        #expect(try dead.finish(deadline: soon()) == .exited(4))
    }

    @Test func `A child that is dropped does not run on`() throws {
        let process: Int32
        do {
            let child = try ChildProcess(ChildProcess.Command(["sleep", "60"]), outputLimit: 100)
            process = child.processID
        }
        #expect(kill(process, 0) == -1)
    }
}
