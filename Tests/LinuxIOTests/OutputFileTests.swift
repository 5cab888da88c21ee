import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite struct OutputFileTests {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func names() throws -> [FilePath] {
        try FileSystem.names(in: folder.path)
    }

    private func write(
        _ path: FilePath, _ text: String, replacing: Bool = false, permissions: UInt32 = 0o644
    ) throws {
        let output = try OutputFile(at: path, replacing: replacing, permissions: permissions)
        try output.commit([UInt8](text.utf8))
    }

    @Test func `A new file appears whole, with the permissions whatever the umask`() throws {
        let path = folder.file("new")
        let before = umask(0o077)
        defer { _ = umask(before) }
        try write(path, "text", permissions: 0o644)
        #expect(try readFile(path, limit: 10) == [UInt8]("text".utf8))
        #expect(try FileSystem.status(of: path).permissions == 0o644)
        #expect(try names() == ["new"])
    }

    @Test func `Before the commit nothing is at the path, and without one nothing stays`() throws {
        let path = folder.file("new")
        do {
            var output = try OutputFile(at: path, replacing: false)
            try output.write([1, 2, 3])
            #expect(try FileSystem.statusIfPresent(of: path) == nil)
            #expect(try names().count == 1)
            #expect(try FileSystem.status(of: folder.path.appending(names()[0])).size == 3)
        }
        #expect(try names() == [])
    }

    @Test func `Bytes written piece by piece stand in order`() throws {
        let path = folder.file("new")
        var output = try OutputFile(at: path, replacing: false)
        try output.write([1])
        try output.write([2, 3])
        try output.commit([4])
        #expect(try readFile(path, limit: 10) == [1, 2, 3, 4])
    }

    @Test func `An existing file stays unless it is to be replaced`() throws {
        let path = try folder.write("there", "old", permissions: 0o600)
        #expect(throws: FileError.exists(path)) { try write(path, "new") }
        #expect(try readFile(path, limit: 10) == [UInt8]("old".utf8))
        try write(path, "new", replacing: true)
        #expect(try readFile(path, limit: 10) == [UInt8]("new".utf8))
        #expect(try FileSystem.status(of: path).permissions == 0o644)
        #expect(try names() == ["there"])
    }

    @Test func `A file that comes in between is not replaced`() throws {
        let path = folder.file("new")
        let output = try OutputFile(at: path, replacing: false)
        try folder.write("new", "faster")
        do {
            try output.commit([1])
            Issue.record("it was replaced")
        } catch {
            #expect(error == .exists(path))
        }
        #expect(try readFile(path, limit: 10) == [UInt8]("faster".utf8))
        #expect(try names() == ["new"])
    }

    @Test func `A link that comes in between is not followed`() throws {
        let target = try folder.write("target", "untouched")
        let path = folder.file("new")
        let output = try OutputFile(at: path, replacing: true)
        try folder.link("new", to: "target")
        do {
            try output.commit([1])
            Issue.record("it was followed")
        } catch {
            #expect(error == .isLink(path))
        }
        #expect(try readFile(target, limit: 10) == [UInt8]("untouched".utf8))
    }

    @Test("What is no regular file is refused, replacing or not", arguments: [false, true])
    func notRegular(replacing: Bool) throws {
        func refused(_ path: FilePath, _ error: FileError) {
            #expect(throws: error) { try write(path, "x", replacing: replacing) }
        }
        refused("/dev/null", .notRegular("/dev/null", .characterDevice))
        refused(folder.path, .notRegular(folder.path, .folder))
        try folder.write("file", "text")
        let link = try folder.link("link", to: "file")
        refused(link, .isLink(link))
        let dangling = try folder.link("dangling", to: "nowhere")
        refused(dangling, .isLink(dangling))
        let pipe = try folder.pipe("pipe")
        refused(pipe, .notRegular(pipe, .pipe))
        #expect(try readFile(folder.file("file"), limit: 10) == [UInt8]("text".utf8))
        #expect(try names() == ["dangling", "file", "link", "pipe"])
    }

    @Test(
        "A path that names a folder by its letters is refused", arguments: ["", "/", "a/", "a/.."])
    func folderByLetters(path: String) {
        let path = FilePath(path)
        #expect(throws: FileError.notRegular(path, .folder)) { try write(path, "x") }
    }

    @Test func `A missing folder and one without write access are found before any work`() throws {
        #expect(throws: FileError.self) {
            _ = try OutputFile(at: folder.file("none/new"), replacing: false)
        }
        guard Program.isRoot else { return }
        let refused = try Program.run(
            [try Program.helper(), "output", folder.file("new").description, "new"],
            asUser: Program.nobody)
        #expect(refused.exit == .exited(1))
        #expect(refused.output == "")
        #expect(refused.errors.contains("errno: 13"))
    }

    @Test(.enabled(if: Program.isRoot, "mounting a small file system needs root"))
    func `A full disk is an error and leaves neither a new file nor a temporary one`() throws {
        let small = try SmallFileSystem(folder)
        guard let small else { return }
        let path = small.path.appending("new")
        let output = try OutputFile(at: path, replacing: false)
        do {
            try output.commit([UInt8](repeating: 1, count: 4 << 20))
            Issue.record("it fitted")
        } catch {
            #expect(error.number == .noSpace)
        }
        #expect(try FileSystem.names(in: small.path) == [])
        try write(path, "fits")
    }

    @Test func `Two that make one file at a time have one winner`() throws {
        for _ in 0..<20 {
            let path = folder.file("raced")
            try FileSystem.removeFile(path)
            let threads = 4
            let wins = Counter()
            DispatchQueue.concurrentPerform(iterations: threads) { number in
                if (try? write(path, "\(number)")) != nil { wins.add() }
            }
            #expect(wins.value == 1)
        }
        #expect(try names() == ["raced"])
    }

    @Test func `Killed before any call, the output is whole or absent, and the next run cleans up`()
        throws
    {
        let new = [UInt8](repeating: 0x6E, count: 100_000)
        let path = folder.file("new")
        let words = [try Program.helper(), "output", path.description, "new"]
        var (absent, whole) = (0, 0)
        let kills = try KillPoints.run(words, input: new) {
            for name in try names() { try FileSystem.removeFile(folder.path.appending(name)) }
        } after: { _ in
            if try FileSystem.statusIfPresent(of: path) == nil {
                absent += 1
                #expect(try Program.run(words, input: new).isSuccess)
                #expect(try names() == ["new"])
            } else {
                whole += 1
            }
            #expect(try readFile(path, limit: 1 << 20) == new)
        }
        guard let kills else { return }
        #expect(kills > 6)
        #expect(absent > 0 && whole > 0)
        print("output: \(kills) kills, \(absent) left no file, \(whole) the whole one")
    }
}
