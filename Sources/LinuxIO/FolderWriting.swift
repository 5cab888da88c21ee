import CLinux
internal import Glibc

/// Writing below an open folder so that a reader, and whoever comes after a kill or a power cut,
/// finds the whole old file or the whole new one.
///
/// New files are made without a name where the file system can do that (`O_TMPFILE`), so a killed
/// process leaves nothing. A file that replaces another needs a name before the rename, which is a
/// temporary one in the same folder; `removeAbandoned` takes away those of dead processes.
extension Folder {
    /// Makes a file that is complete from its first instant, on the disk with its name when this
    /// returns; throws `exists` when anything is there, a link included.
    package borrowing func createFile(
        _ relative: FilePath, _ contents: [UInt8], permissions: UInt32
    ) throws(FileError) {
        let place = try place(relative)
        if try place.linkUnnamed(contents, permissions) { return }
        try place.renameTemporary(contents, permissions, modified: nil, replacing: false)
    }

    /// Puts a file in place of what stands there or of nothing; a link, folder or device in its
    /// place is refused.
    ///
    /// The time of its last change is at least one second above that of the file before, since web
    /// servers make entity tags of whole seconds and the size. Two writers need a lock of theirs to
    /// keep that true (`lock`). Answers what now stands there.
    @discardableResult
    package borrowing func replaceFile(
        _ relative: FilePath, _ contents: [UInt8], permissions: UInt32
    ) throws(FileError) -> FileStatus {
        let place = try place(relative)
        var modified = SystemClock.now()
        if let before = try place.status() {
            switch before.kind {
            case .regular: break
            case .link: throw .isLink(path.appending(relative))
            default: throw .notRegular(path.appending(relative), before.kind)
            }
            // Near the last second that a file system can hold there is no later one; any other time
            // than the last is new as well.
            let (next, isBeyond) = before.modified.seconds.addingReportingOverflow(1)
            if !isBeyond, next < 1 << 33 {
                let least = FileTime(seconds: next, nanoseconds: before.modified.nanoseconds)
                modified = max(modified, least)
            }
        }
        return try place.renameTemporary(
            contents, permissions, modified: modified, replacing: true)
    }

    /// Removes a file or link below; true when it was there. The folder is on the disk afterwards.
    @discardableResult
    package borrowing func removeFile(_ relative: FilePath) throws(FileError) -> Bool {
        let place = try place(relative)
        do throws(SystemError) {
            guard
                unsafe unlinkat(place.folder.descriptor, try place.name.cString("unlinkat"), 0) == 0
            else {
                let error = SystemError.last("unlinkat", path.appending(relative))
                if error.number == .notFound { return false }
                throw error
            }
            try place.folder.synchronize()
            return true
        } catch {
            throw .system(error)
        }
    }

    /// Removes the temporary files in this folder that dead processes left, and says how many.
    @discardableResult
    package borrowing func removeAbandoned() throws(FileError) -> Int {
        try TemporaryFile.removeAbandoned(in: file)
    }

    /// Waits until the names in this folder are on the disk.
    package borrowing func synchronize() throws(FileError) {
        do { try file.synchronize() } catch { throw .system(error) }
    }
}

extension Place {
    borrowing func status() throws(FileError) -> FileStatus? {
        do {
            return try FileSystem.statusIfPresent(of: name, below: folder.descriptor)
        } catch {
            throw .system(error)
        }
    }

    /// False when the file system has no unnamed files, or `/proc` is not there to name them by.
    fileprivate borrowing func linkUnnamed(
        _ contents: [UInt8], _ permissions: UInt32
    ) throws(FileError) -> Bool {
        let descriptor = grona_open_unnamed(folder.descriptor, 0o600)
        guard descriptor >= 0 else { return false }
        let file = OpenFile(owning: descriptor, path: folder.path.appending(name))
        do throws(SystemError) {
            try file.writeAll(contents)
            try file.setPermissions(permissions)
            try file.synchronize()
            let source = try FilePath("/proc/self/fd/\(descriptor)").cString("linkat")
            let target = try name.cString("linkat")
            guard
                unsafe linkat(AT_FDCWD, source, folder.descriptor, target, AT_SYMLINK_FOLLOW) == 0
            else {
                switch ErrorNumber.last {
                case .exists: throw SystemError.last("linkat", file.path)
                default: return false
                }
            }
            try folder.synchronize()
            return true
        } catch {
            throw error.number == .exists ? .exists(file.path) : .system(error)
        }
    }

    @discardableResult
    fileprivate borrowing func renameTemporary(
        _ contents: [UInt8], _ permissions: UInt32, modified: FileTime?, replacing: Bool
    ) throws(FileError) -> FileStatus {
        var temporary: TemporaryFile
        do { temporary = try TemporaryFile(in: folder, permissions: permissions) } catch {
            throw .system(error)
        }
        do throws(SystemError) {
            try temporary.file.writeAll(contents)
            if let modified { try temporary.file.setModified(modified) }
        } catch {
            throw .system(error)
        }
        try temporary.rename(to: name, in: folder, replacing: replacing)
        do { return try temporary.file.status() } catch { throw .system(error) }
    }
}
