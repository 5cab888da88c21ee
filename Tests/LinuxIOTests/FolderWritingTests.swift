import Foundation
import TestSupport
import Testing

@testable import LinuxIO

@Suite struct FolderWritingTests {
    let test: TestFolder

    init() throws {
        test = try TestFolder()
    }

    private func folder() throws -> Folder { try Folder(at: test.path) }

    private func allNames() throws -> [FilePath] { try FileSystem.names(in: test.path) }

    @Test func `A file is made once, with its permissions, and never replaced`() throws {
        let before = umask(0o077)
        defer { _ = umask(before) }
        let folder = try folder()
        try folder.createFile("new", [1, 2], permissions: 0o644)
        #expect(try folder.read("new", limit: 10) == [1, 2])
        #expect(try folder.status(of: "new")?.permissions == 0o644)
        #expect(throws: FileError.exists(test.file("new"))) {
            try folder.createFile("new", [3], permissions: 0o644)
        }
        #expect(try folder.read("new", limit: 10) == [1, 2])
        #expect(try allNames() == ["new"])
    }

    @Test("Anything at the place keeps a file from being made", arguments: ["dir", "link", "gone"])
    func occupied(name: String) throws {
        try test.folder("dir")
        try test.write("file")
        try test.link("link", to: "file")
        try test.link("gone", to: "nowhere")
        let folder = try folder()
        #expect(throws: FileError.exists(test.file(name))) {
            try folder.createFile(FilePath(name), [3], permissions: 0o644)
        }
        #expect(try FileSystem.statusIfPresent(of: test.file("nowhere")) == nil)
    }

    @Test func `A file is replaced as a whole, and its time goes up by a second at least`() throws {
        let folder = try folder()
        var last = try folder.replaceFile("config", [0], permissions: 0o644)
        #expect(abs(last.modified.seconds - SystemClock.unixTime()) <= 1)
        for number in 1...5 as ClosedRange<UInt8> {
            let status = try folder.replaceFile("config", [number], permissions: 0o640)
            let least = FileTime(
                seconds: last.modified.seconds + 1, nanoseconds: last.modified.nanoseconds)
            #expect(status.modified >= least)
            #expect(status.inode != last.inode)
            #expect(status == (try folder.status(of: "config")))
            #expect(status.permissions == 0o640)
            #expect(try folder.read("config", limit: 1) == [number])
            last = status
        }
        #expect(try allNames() == ["config"])
    }

    @Test func `The time goes up even from one that lies ahead of the clock`() throws {
        let path = try test.write("config")
        let ahead = FileTime(seconds: 4_000_000_000, nanoseconds: 999_999_999)
        try OpenFile(path, [.write]).setModified(ahead)
        let status = try folder().replaceFile("config", [1], permissions: 0o644)
        #expect(status.modified == FileTime(seconds: 4_000_000_001, nanoseconds: 999_999_999))
    }

    @Test func `From the last second there is, the time becomes another one`() throws {
        let path = try test.write("config")
        try OpenFile(path, [.write]).setModified(FileTime(seconds: .max))
        let before = try FileSystem.status(of: path).modified
        let status = try folder().replaceFile("config", [1], permissions: 0o644)
        #expect(status.modified != before)
    }

    @Test func `From a time in the past the time becomes that of the clock`() throws {
        let path = try test.write("config")
        try OpenFile(path, [.write]).setModified(FileTime(seconds: 1_000_000_000))
        let status = try folder().replaceFile("config", [1], permissions: 0o644)
        #expect(abs(status.modified.seconds - SystemClock.unixTime()) <= 1)
    }

    @Test func `What is no regular file is not replaced`() throws {
        try test.folder("dir")
        try test.write("file", "text")
        try test.link("link", to: "file")
        try test.pipe("pipe")
        let folder = try folder()
        #expect(throws: FileError.notRegular(test.file("dir"), .folder)) {
            try folder.replaceFile("dir", [1], permissions: 0o644)
        }
        #expect(throws: FileError.isLink(test.file("link"))) {
            try folder.replaceFile("link", [1], permissions: 0o644)
        }
        #expect(throws: FileError.notRegular(test.file("pipe"), .pipe)) {
            try folder.replaceFile("pipe", [1], permissions: 0o644)
        }
        try folder.replaceFile("file", [1], permissions: 0o644)
        #expect(try allNames() == ["dir", "file", "link", "pipe"])
    }

    @Test func `Removing says whether the file was there`() throws {
        try test.write("file")
        let folder = try folder()
        #expect(try folder.removeFile("file"))
        #expect(try !folder.removeFile("file"))
    }

    @Test func `Temporary files of the dead are removed, those of the living and others stay`()
        throws
    {
        let dead = FilePath(".grona-tmp-0123456789abcdef0123456789abcdef")
        try test.write(dead.description)
        try test.write(".grona-tmp-short")
        try test.write("other")
        try test.link(".grona-tmp-0123456789abcdef0123456789abcde0", to: "other")
        let folder = try folder()
        let living = try TemporaryFile(
            in: try OpenFile(test.path, [.folder]), permissions: 0o644)
        #expect(try allNames().count == 5)
        #expect(try folder.removeAbandoned() == 1)
        #expect(try allNames().count == 4)
        #expect(try !allNames().contains(dead))
        #expect(try folder.removeAbandoned() == 0)
        _ = consume living
        #expect(try allNames().count == 3)
    }

    @Test func `Sweeping while others write loses no write`() throws {
        let writers = 3
        let failures = Counter()
        let done = Counter()
        DispatchQueue.concurrentPerform(iterations: writers + 1) { number in
            guard let folder = try? Folder(at: test.path) else { return failures.add() }
            if number == writers {
                while done.value < writers { _ = try? folder.removeAbandoned() }
                return
            }
            for round in 0..<100 {
                do {
                    try folder.replaceFile(
                        FilePath("file-\(number)"), [UInt8(round)], permissions: 0o644)
                } catch {
                    failures.add()
                }
            }
            done.add()
        }
        #expect(failures.value == 0)
        #expect(try allNames() == ["file-0", "file-1", "file-2"])
    }

    @Test func `Of several that make one file at a time exactly one succeeds`() throws {
        for round in 0..<30 {
            let wins = Counter()
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                let folder = try? Folder(at: test.path)
                let name = FilePath("claim-\(round)")
                if (try? folder?.createFile(name, [UInt8(number)], permissions: 0o644)) != nil {
                    wins.add()
                }
            }
            #expect(wins.value == 1)
        }
        #expect(try allNames().count == 30)
    }

    @Test func `A reader sees the whole old or the whole new contents, never a mixture`() throws {
        let folder = try folder()
        let size = 300_000
        try folder.replaceFile("config", [UInt8](repeating: 0, count: size), permissions: 0o644)
        let writer = Thread { [test] in
            guard let folder = try? Folder(at: test.path) else { return }
            for round in 1...60 {
                _ = try? folder.replaceFile(
                    "config", [UInt8](repeating: UInt8(round), count: size), permissions: 0o644)
            }
        }
        writer.start()
        while !writer.isFinished {
            let bytes = try folder.read("config", limit: size)
            #expect(bytes.count == size)
            #expect(bytes.allSatisfy { $0 == bytes[0] })
        }
    }

    @Test(.enabled(if: Program.isRoot, "mounting a small file system needs root"))
    func `On a full disk the old file stays, and nothing else`() throws {
        guard let small = try SmallFileSystem(test) else { return }
        let folder = try Folder(at: small.path)
        try folder.replaceFile("config", [1], permissions: 0o644)
        let large = [UInt8](repeating: 1, count: 4 << 20)
        do {
            try folder.replaceFile("config", large, permissions: 0o644)
            Issue.record("it fitted")
        } catch {
            #expect(error.number == .noSpace)
        }
        do {
            try folder.createFile("new", large, permissions: 0o644)
            Issue.record("it fitted")
        } catch {
            #expect(error.number == .noSpace)
        }
        #expect(try FileSystem.names(in: small.path) == ["config"])
        #expect(try folder.read("config", limit: 1) == [1])
    }

    @Test func `Killed before any call, a replaced file is whole, and the next run cleans up`()
        throws
    {
        let old = [UInt8]("old".utf8)
        let new = [UInt8](repeating: 0x6E, count: 100_000)
        let helper = try Program.helper()
        let words = [helper, "folder", test.path.description, "replace", "config"]
        var (olds, news, left) = (0, 0, 0)
        let kills = try KillPoints.run(words, input: new) {
            for name in try allNames() { try FileSystem.removeFile(test.path.appending(name)) }
            try test.write("config", old)
        } after: { _ in
            let found = try readFile(test.file("config"), limit: 1 << 20)
            #expect(found == old || found == new)
            if found == old { olds += 1 } else { news += 1 }
            left += try allNames().count - 1
            #expect(try Program.run(words, input: new).isSuccess)
            #expect(try allNames() == ["config"])
            #expect(try readFile(test.file("config"), limit: 1 << 20) == new)
        }
        guard let kills else { return }
        #expect(kills > 6)
        #expect(olds > 0 && news > 0 && left > 0)
        print("replace: \(kills) kills, \(olds) left the old file, \(news) the new one")
    }

    @Test func `Killed before any call, a new file is whole or absent, and nothing else is left`()
        throws
    {
        let new = [UInt8](repeating: 0x6E, count: 100_000)
        let words = [
            try Program.helper(), "folder", test.path.description, "create", "claim",
        ]
        var (absent, whole) = (0, 0)
        let kills = try KillPoints.run(words, input: new) {
            for name in try allNames() { try FileSystem.removeFile(test.path.appending(name)) }
        } after: { call in
            let names = try allNames()
            #expect(names == [] || names == ["claim"], "after \(call)")
            if names.isEmpty {
                absent += 1
            } else {
                whole += 1
                #expect(try readFile(test.file("claim"), limit: 1 << 20) == new)
            }
        }
        guard let kills else { return }
        #expect(kills > 5)
        #expect(absent > 0 && whole > 0)
        print("create: \(kills) kills, \(absent) left nothing, \(whole) the whole file")
    }
}
