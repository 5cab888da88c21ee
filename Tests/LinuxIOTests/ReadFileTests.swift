import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite struct ReadFileTests {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test func `A file of exactly the limit is read, one byte more is too large`() throws {
        let path = try folder.write("file", [UInt8](repeating: 7, count: 100_000))
        #expect(try readFile(path, limit: 100_000).count == 100_000)
        #expect(throws: FileError.tooLarge(path, limit: 99_999)) {
            try readFile(path, limit: 99_999)
        }
    }

    @Test func `An empty file is read as no bytes, even with a limit of 0`() throws {
        let path = try folder.write("empty")
        #expect(try readFile(path, limit: 0) == [])
    }

    @Test func `A file of 1 GB is refused before anything is read`() throws {
        let path = try folder.write("large")
        try OpenFile(path, [.write]).truncate(to: 1 << 30)
        let before = SystemClock.monotonicNanoseconds()
        #expect(throws: FileError.tooLarge(path, limit: 1 << 20)) {
            try readFile(path, limit: 1 << 20)
        }
        #expect(SystemClock.monotonicNanoseconds() - before < 100_000_000)
    }

    @Test func `A file whose size is not known beforehand is read up to the limit`() throws {
        #expect(try readFile("/proc/self/status", limit: 1 << 20).count > 100)
        #expect(throws: FileError.tooLarge("/proc/self/status", limit: 10)) {
            try readFile("/proc/self/status", limit: 10)
        }
    }

    @Test func `A folder, a device and a socket are no files`() throws {
        #expect(throws: FileError.notRegular(folder.path, .folder)) {
            try readFile(folder.path, limit: 10)
        }
        #expect(throws: FileError.notRegular("/dev/zero", .characterDevice)) {
            try readFile("/dev/zero", limit: 10)
        }
        let path = folder.file("socket")
        let made = try Program.run([
            "python3", "-c",
            "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])",
            path.description,
        ])
        try #require(made.isSuccess)
        #expect(throws: FileError.notRegular(path, .socket)) { try readFile(path, limit: 10) }
    }

    @Test func `What is missing is told apart from what is no folder`() throws {
        let path = try folder.write("file")
        #expect(throws: FileError.self) { try readFile(folder.file("none"), limit: 10) }
        do {
            _ = try readFile(folder.file("none"), limit: 10)
        } catch {
            #expect(error.isNotFound)
        }
        do {
            _ = try readFile(path.appending("below"), limit: 10)
        } catch {
            #expect(error.number == .notAFolder)
        }
    }

    @Test func `A link is followed unless links are refused`() throws {
        try folder.write("file", "text")
        let link = try folder.link("link", to: "file")
        #expect(try readFile(link, limit: 10) == [UInt8]("text".utf8))
        #expect(throws: FileError.isLink(link)) {
            try readFile(link, limit: 10, links: .refuse)
        }
        #expect(try readFile(folder.file("file"), limit: 10, links: .refuse).count == 4)
    }

    @Test func `A named pipe is read to its end, and its writer is waited for`() throws {
        let path = try folder.pipe("pipe")
        let writer = Thread {
            SystemClock.sleep(nanoseconds: 100_000_000)
            guard let pipe = try? OpenFile(path, [.write]) else { return }
            try? pipe.writeAll([UInt8](repeating: 1, count: 100_000))
            SystemClock.sleep(nanoseconds: 50_000_000)
            try? pipe.writeAll([2])
        }
        writer.start()
        #expect(try readFile(path, limit: 100_001).count == 100_001)
    }

    @Test func `A pipe with more than the limit is too large`() throws {
        let path = try folder.pipe("pipe")
        // Held open until the end, so that a slow reader finds the bytes too; 5,000 fit the pipe.
        let pipe = try OpenFile(path, [.readAndWrite])
        try pipe.writeAll([UInt8](repeating: 1, count: 5000))
        #expect(throws: FileError.tooLarge(path, limit: 4999)) { try readFile(path, limit: 4999) }
        _ = consume pipe
    }

    @Test(
        .enabled(if: Program.isRoot, "becoming another user needs root"))
    func `A file that may not be read is refused with the system's reason`() throws {
        let path = try folder.write("file", permissions: 0o600)
        let helper = try Program.helper()
        let refused = try Program.run(
            [helper, "read", path.description], asUser: Program.nobody)
        #expect(refused.exit == .exited(1))
        #expect(refused.errors.contains("errno: 13"))
        try folder.own("file", by: Program.nobody)
        let read = try Program.run([helper, "read", path.description], asUser: Program.nobody)
        #expect(read.output == "0\n")
    }
}
