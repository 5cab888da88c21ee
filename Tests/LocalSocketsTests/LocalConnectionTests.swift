import LinuxIO
import TestSupport
import Testing

@testable import LocalSockets

@Suite("Connections to local sockets")
struct LocalConnectionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func service(_ script: String) throws -> SocketService {
        try SocketService(FilePath(folder.path("s")), ["/bin/sh", "-c", script])
    }

    private func soon(_ seconds: UInt64 = 60) -> UInt64 {
        SystemClock.deadline(after: seconds * 1_000_000_000)
    }

    private func connect(
        _ path: FilePath, limit: Int = 4 << 20, _ seconds: UInt64 = 20
    ) throws -> LocalConnection {
        try LocalConnection(to: path, limit: limit, deadline: soon(seconds))
    }

    @Test("Lines go out and come back, in order, and the end of the one ends the other")
    func lines() throws {
        let echo = try service("exec cat")
        var connection = try connect(echo.path)
        try connection.writeLine(Array("one".utf8))
        #expect(try connection.readLine(deadline: soon()) == Array("one".utf8))
        try connection.writeLine([])
        try connection.writeLine(Array("three".utf8))
        try connection.endInput()
        #expect(try connection.readLine(deadline: soon()) == [])
        #expect(try connection.readLine(deadline: soon()) == Array("three".utf8))
        #expect(try connection.readLine(deadline: soon()) == nil)
        try connection.finish(deadline: soon())
    }

    @Test("Every connection has a program of its own")
    func two() throws {
        let own = try service("echo $$; exec cat")
        var first = try connect(own.path)
        var second = try connect(own.path)
        let (one, two) = (
            try first.readLine(deadline: soon()), try second.readLine(deadline: soon())
        )
        #expect(one != nil && two != nil && one != two)
    }

    @Test("More than the buffers hold goes both ways at once")
    func large() throws {
        let echo = try service("exec cat")
        var connection = try connect(echo.path)
        let line = (0..<3_000_000).map { UInt8(0x61 + $0 % 26) }
        try connection.writeLine(line)
        try connection.writeLine(line)
        #expect(try connection.readLine(deadline: soon()) == line)
        #expect(try connection.readLine(deadline: soon()) == line)
    }

    @Test("A connection that is closed gives no line, nor does one that is cut off in it")
    func cut() throws {
        for script in ["true", "printf '{\"id\":'", "exec 0<&-; sleep 0.1"] {
            let service = try service(script)
            var connection = try connect(service.path)
            try connection.writeLine(Array("request".utf8))
            #expect(try connection.readLine(deadline: soon()) == nil, "\(script)")
        }
    }

    @Test("Nobody is waited for beyond the deadline")
    func deadline() throws {
        let silent = try service("sleep 30")
        var connection = try connect(silent.path)
        try connection.writeLine(Array("request".utf8))
        let start = SystemClock.monotonicNanoseconds()
        #expect(throws: LocalConnectionError.timedOut(silent.path)) {
            _ = try connection.readLine(
                deadline: SystemClock.deadline(after: 200_000_000))
        }
        let passed = SystemClock.monotonicNanoseconds() - start
        #expect((200_000_000...5_000_000_000).contains(passed))
    }

    @Test("A line at the limit is taken, one above it is not")
    func limit() throws {
        let service = try service("head -c 1000 /dev/zero | tr '\\0' a; echo")
        var enough = try connect(service.path, limit: 1_000)
        #expect(try enough.readLine(deadline: soon())?.count == 1_000)
        var short = try connect(service.path, limit: 999)
        #expect(throws: LocalConnectionError.tooMuch(service.path, limit: 999)) {
            _ = try short.readLine(deadline: soon())
        }
        let endless = try SocketService(
            FilePath(folder.path("e")), ["/bin/sh", "-c", "exec cat /dev/zero"])
        var connection = try connect(endless.path, limit: 1_000)
        #expect(throws: LocalConnectionError.tooMuch(endless.path, limit: 1_000)) {
            _ = try connection.readLine(deadline: soon())
        }
    }

    @Test("Who is not there cannot be reached, and the error number says why")
    func unreached() throws {
        let absent = FilePath(folder.path("absent"))
        let file = FilePath(try folder.write("file", []))
        let refused = ErrorNumber(rawValue: 111)
        for (path, number) in [
            (absent, ErrorNumber.notFound), (file.appending("s"), .notAFolder), (file, refused),
        ] {
            #expect(throws: LocalConnectionError.notReached(path, number)) {
                _ = try LocalConnection(to: path, limit: 1, deadline: soon())
            }
        }
    }

    @Test("A path has at most 107 bytes")
    func longPath() throws {
        let start = folder.path("")
        for (length, number) in [(107, ErrorNumber.notFound), (108, .nameTooLong)] {
            let path = FilePath(
                start + String(repeating: "a", count: length - start.utf8.count))
            #expect(path.bytes.count == length)
            #expect(throws: LocalConnectionError.notReached(path, number)) {
                _ = try LocalConnection(to: path, limit: 1, deadline: soon())
            }
        }
    }
}
