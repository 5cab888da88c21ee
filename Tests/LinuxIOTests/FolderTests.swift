import Foundation
import TestSupport
import Testing

@testable import LinuxIO

@Suite struct FolderTests {
    let test: TestFolder

    init() throws {
        test = try TestFolder()
        try test.folder("root/a/b")
        try test.write("root/a/b/file", "text")
        try test.write("outside", "outside")
    }

    private func root(_ means: BeneathOpen.Means = .kernelThenSteps) throws -> Folder {
        Folder(owning: try OpenFile(test.file("root"), [.folder]), means: means)
    }

    static let means: [BeneathOpen.Means] = [.kernelThenSteps, .stepsOnly]

    @Test("A file below is read, with either way of opening", arguments: means)
    func read(means: BeneathOpen.Means) throws {
        let root = try root(means)
        #expect(try root.read("a/b/file", limit: 4) == [UInt8]("text".utf8))
        #expect(try root.folder("a").read("b/file", limit: 4).count == 4)
        #expect(try root.readIfPresent("a/b/none", limit: 4) == nil)
        #expect(try root.readIfPresent("none/file", limit: 4) == nil)
        #expect(throws: FileError.tooLarge(test.file("root/a/b/file"), limit: 3)) {
            try root.read("a/b/file", limit: 3)
        }
        #expect(throws: FileError.notRegular(test.file("root/a/b"), .folder)) {
            try root.read("a/b", limit: 4)
        }
    }

    @Test("A link is refused in any step, even one that stays below", arguments: means)
    func links(means: BeneathOpen.Means) throws {
        try test.link("root/last", to: "a/b/file")
        try test.link("root/middle", to: "a")
        try test.link("root/out", to: "..")
        let root = try root(means)
        #expect(throws: FileError.isLink(test.file("root/last"))) {
            try root.read("last", limit: 4)
        }
        #expect(throws: FileError.isLink(test.file("root/middle/b/file"))) {
            try root.read("middle/b/file", limit: 4)
        }
        #expect(throws: FileError.isLink(test.file("root/out/outside"))) {
            try root.read("out/outside", limit: 10)
        }
        do {
            _ = try root.folder("middle")
            Issue.record("it was followed")
        } catch {
            #expect(error == .isLink(test.file("root/middle")))
        }
        #expect(try root.status(of: "last")?.kind == .link)
    }

    @Test(
        "A way out of the folder is no name",
        arguments: ["..", "../outside", "a/../../outside", "/etc/passwd", "", ".", "a\0b"])
    func escapes(name: String) throws {
        for means in FolderTests.means {
            let root = try root(means)
            #expect(throws: FileError.invalidName(FilePath(name))) {
                try root.read(FilePath(name), limit: 10)
            }
            #expect(throws: FileError.invalidName(FilePath(name))) {
                try root.createFile(FilePath(name), [], permissions: 0o644)
            }
        }
    }

    @Test func `Folders are made with their permissions whatever the umask`() throws {
        let before = umask(0o077)
        defer { _ = umask(before) }
        let root = try root()
        let made = try root.creatingFolder("x/y/z")
        #expect(made.path == test.file("root/x/y/z"))
        for name in ["root/x", "root/x/y", "root/x/y/z"] {
            #expect(try FileSystem.status(of: test.file(name)).permissions == 0o755)
        }
        let again = try root.creatingFolder("x/y", permissions: 0o700)
        #expect(try again.status().permissions == 0o755)
    }

    @Test(arguments: ["/proc/nothing", "/proc/nothing/below/it"])
    func `A folder that cannot be made where its parent is there is an error`(
        _ path: FilePath
    ) throws {
        #expect(throws: SystemError.self) {
            try FileSystem.createFolders(path, permissions: 0o700)
        }
    }

    @Test func `A path of which a part exists is resolved as far as that goes`() throws {
        try test.folder("real")
        try test.link("name", to: "real")
        let real = try FileSystem.resolve(test.file("real"))
        #expect(
            try FileSystem.resolveExistingPart(of: test.file("name/a/./b")) == real.appending("a/b")
        )
        #expect(throws: SystemError.self) {
            try FileSystem.resolveExistingPart(of: test.file("name/a/../b"))
        }
    }

    @Test("Folders are not made through a link", arguments: means)
    func foldersThroughLinks(means: BeneathOpen.Means) throws {
        try test.folder("elsewhere")
        try test.link("root/link", to: "../elsewhere")
        let root = try root(means)
        do {
            _ = try root.creatingFolder("link/new")
            Issue.record("it was followed")
        } catch {
            #expect(
                error == .isLink(test.file("root/link/new"))
                    || error == .isLink(test.file("root/link")))
        }
        #expect(try FileSystem.names(in: test.file("elsewhere")) == [])
    }

    @Test func `Names are listed in byte order without our temporary files`() throws {
        try test.write("root/B")
        try test.write("root/.hidden")
        try test.write("root/.grona-tmp-00000000000000000000000000000000")
        let root = try root()
        #expect(try root.names() == [".hidden", "B", "a"])
        #expect(try root.names(limit: 4).count == 3)
        #expect(throws: FileError.tooLarge(test.file("root"), limit: 3)) {
            try root.names(limit: 3)
        }
    }

    @Test func `Work goes on in the same folder after it is renamed`() throws {
        let root = try root()
        try FileManager.default.moveItem(
            atPath: test.file("root").description, toPath: test.file("moved").description)
        try test.folder("root")
        try root.createFile("new", [1], permissions: 0o644)
        #expect(try readFile(test.file("moved/new"), limit: 1) == [1])
        #expect(try FileSystem.names(in: test.file("root")) == [])
    }

    @Test func `A reader never follows a link that is swapped in while it reads`() throws {
        // Whole before the first read: a file that is being written would be read half.
        try test.folder("root/swap")
        try test.write("root/swap/outside", "inside!")
        let real = test.file("root/swap").description
        let aside = test.file("root/aside").description
        let swapper = Thread {
            while !Thread.current.isCancelled {
                _ = unsafe rename(real, aside)
                _ = unsafe symlink("..", real)
                _ = unsafe unlink(real)
                _ = unsafe rename(aside, real)
            }
        }
        swapper.start()
        defer { swapper.cancel() }
        var (read, refused) = (0, 0)
        for number in 0..<4000 {
            let root = try root(number % 2 == 0 ? .kernelThenSteps : .stepsOnly)
            do {
                let bytes = try root.read("swap/outside", limit: 100)
                #expect(bytes == [UInt8]("inside!".utf8))
                read += 1
            } catch {
                refused += 1
            }
        }
        print("swapped folder: \(read) reads, \(refused) refusals")
    }

    @Test func `A locked folder is refused to others with the holder named, then free`() throws {
        let root = try root()
        let helper = try Program.helper()
        let lock = try root.lock()
        let path = test.file("root").description
        let refused = try Program.run([helper, "folder", path, "lock", "0"])
        #expect(refused.exit == .exited(1))
        #expect(refused.errors.contains("locked(\(path)"))
        #expect(refused.errors.contains("Optional(\(UserIdentity.processID))"))
        do {
            _ = try root.lock(waitingNanoseconds: 0)
            Issue.record("two locks in one process")
        } catch {
            #expect(error == .locked(root.path, holder: UserIdentity.processID))
        }
        _ = consume lock
        #expect(try Program.run([helper, "folder", path, "lock", "0"]).output == "locked\n")
        #expect(try FileSystem.names(in: test.file("root")) == ["a"])
    }

    @Test func `A lock is waited for as long as was said, and taken when it is lifted`() throws {
        let root = try root()
        var child = try ChildProcess(
            ChildProcess.Command([
                FilePath(try Program.helper()), "folder", test.file("root"), "lock", "0",
            ]), outputLimit: 100)
        let soon = SystemClock.deadline(after: 60_000_000_000)
        #expect(try child.readLine(deadline: soon) == [UInt8]("locked".utf8))
        let before = SystemClock.monotonicNanoseconds()
        do {
            _ = try root.lock(waitingNanoseconds: 200_000_000)
            Issue.record("two locks")
        } catch {
            #expect(error == .locked(root.path, holder: child.processID))
        }
        let waited = SystemClock.monotonicNanoseconds() - before
        #expect(waited >= 200_000_000 && waited < 2_000_000_000)
        #expect(try child.finish(deadline: soon) == .exited(0))
        _ = try root.lock(waitingNanoseconds: 0)
    }

    @Test func `The lock of a process that is killed is free`() throws {
        let root = try root()
        do {
            var child = try ChildProcess(
                ChildProcess.Command([
                    FilePath(try Program.helper()), "folder", test.file("root"), "lock", "0",
                ]), outputLimit: 100)
            _ = try child.readLine(deadline: SystemClock.deadline(after: 60_000_000_000))
            kill(child.processID, SIGKILL)
        }
        _ = try root.lock(waitingNanoseconds: 1_000_000_000)
    }
}
