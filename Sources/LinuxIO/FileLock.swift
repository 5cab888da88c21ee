internal import Glibc

/// An exclusive or shared lock (`flock`) on an open file or folder, held until the value ends.
///
/// It belongs to the open file, so it excludes other threads of this process too, leaves no file
/// behind, and the kernel lifts it when the process dies, however it dies.
package struct FileLock: ~Copyable, Sendable {
    package let file: OpenFile

    package enum Kind: Sendable {
        case exclusive, shared
    }

    /// Locks the file at `path`, which is made with `permissions` when it is not there.
    package init(
        at path: FilePath, permissions: UInt32 = 0o600, waitingNanoseconds: UInt64
    ) throws(FileError) {
        do {
            let file = try OpenFile(
                path, [.readAndWrite, .create, .noFollow], permissions: permissions)
            let status = try file.status()
            guard status.kind == .regular else { throw FileError.notRegular(path, status.kind) }
            try self.init(locking: file, waitingNanoseconds: waitingNanoseconds)
        } catch let error as SystemError {
            throw error.number == .tooManyLinks ? .isLink(path) : .system(error)
        } catch let error as FileError {
            throw error
        } catch {
            throw .system(SystemError("flock", path, .invalidArgument))
        }
    }

    /// Locks an open file, waiting up to `waitingNanoseconds` (0: not at all); throws `locked` with
    /// the holder after that.
    package init(
        locking file: consuming OpenFile, _ kind: Kind = .exclusive, waitingNanoseconds: UInt64
    ) throws(FileError) {
        let deadline = SystemClock.deadline(after: waitingNanoseconds)
        let operation = (kind == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
        var pause: UInt64 = 1_000_000
        while flock(file.descriptor, operation) != 0 {
            switch ErrorNumber.last {
            case .interrupted: continue
            case .wouldBlock: break
            default: throw .system(.last("flock", file.path))
            }
            let now = SystemClock.monotonicNanoseconds()
            guard now < deadline else {
                throw .locked(file.path, holder: LockHolder.process(holding: file))
            }
            SystemClock.sleep(nanoseconds: min(pause, deadline - now))
            pause = min(pause * 2, 50_000_000)
        }
        self.file = file
    }

    package borrowing func status() throws(FileError) -> FileStatus {
        do { return try file.status() } catch { throw .system(error) }
    }

    /// Lifts the lock and gives the open file back.
    package consuming func unlock() -> OpenFile {
        _ = flock(file.descriptor, LOCK_UN)
        return file
    }
}
