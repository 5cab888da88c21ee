import LinuxIO
import TestSupport
import Testing

@Suite struct FileLockTests {
    @Test func `A lock file is made for the user alone and excludes a second holder`() throws {
        let folder = try TestFolder()
        let path = folder.file("lock")
        let lock = try FileLock(at: path, waitingNanoseconds: 0)
        #expect(try FileSystem.status(of: path).permissions & 0o077 == 0)
        do {
            _ = try FileLock(at: path, waitingNanoseconds: 10_000_000)
            Issue.record("two holders")
        } catch {
            #expect(error == .locked(path, holder: UserIdentity.processID))
        }
        let file = lock.unlock()
        _ = try FileLock(at: path, waitingNanoseconds: 0)
        _ = consume file
    }

    @Test func `Shared locks go together and keep an exclusive one out`() throws {
        let folder = try TestFolder()
        let path = try folder.write("file")
        let first = try FileLock(locking: OpenFile(path, []), .shared, waitingNanoseconds: 0)
        let second = try FileLock(locking: OpenFile(path, []), .shared, waitingNanoseconds: 0)
        #expect(throws: FileError.self) {
            _ = try FileLock(locking: OpenFile(path, []), waitingNanoseconds: 0)
        }
        _ = consume first
        _ = consume second
    }

    @Test func `A link or a device is no lock file`() throws {
        let folder = try TestFolder()
        try folder.write("file")
        let link = try folder.link("link", to: "file")
        do {
            _ = try FileLock(at: link, waitingNanoseconds: 0)
            Issue.record("it was followed")
        } catch {
            #expect(error == .isLink(link))
        }
        do {
            _ = try FileLock(at: "/dev/null", waitingNanoseconds: 0)
            Issue.record("it was locked")
        } catch {
            #expect(error == .notRegular("/dev/null", .characterDevice))
        }
    }
}
