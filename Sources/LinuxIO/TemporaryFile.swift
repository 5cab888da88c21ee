import CLinux
internal import Glibc

/// A file under a temporary name in an open folder; removed at the end of its life unless it got
/// its final name.
struct TemporaryFile: ~Copyable {
    var file: OpenFile
    private let folder: OpenFile
    private var name: FilePath?

    /// Makes the file in `folder` (a folder's descriptor, duplicated here) with exactly
    /// `permissions`, locked, so that a sweep leaves it alone.
    init(in folder: borrowing OpenFile, permissions: UInt32) throws(SystemError) {
        let copy = grona_duplicate_above(folder.descriptor, 3)
        guard copy >= 0 else { throw SystemError.last("fcntl", folder.path) }
        let owned = OpenFile(owning: copy, path: folder.path)
        while true {
            let name = TemporaryName.random()
            let file = try OpenFile(
                name, [.readAndWrite, .create, .exclusive, .noFollow], permissions: 0o600,
                below: copy, reportedAs: folder.path.appending(name))
            // Between the two calls a sweep may have taken the file for a dead one's; then it is
            // locked or gone, and another name is taken. Where a file system has no locks, a sweep
            // cannot lock it either and leaves it alone.
            let isLocked = flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
            if !isLocked, ErrorNumber.last == .wouldBlock { continue }
            guard try file.status().linkCount == 1 else { continue }
            do {
                try file.setPermissions(permissions)
            } catch {
                TemporaryFile.remove(name, from: owned)
                throw error
            }
            self.init(file: file, folder: owned, name: name)
            return
        }
    }

    private init(file: consuming OpenFile, folder: consuming OpenFile, name: FilePath) {
        self.file = file
        self.folder = folder
        self.name = name
    }

    deinit {
        if let name { TemporaryFile.remove(name, from: folder) }
    }

    private static func remove(_ name: FilePath, from folder: borrowing OpenFile) {
        guard let name = try? name.cString("unlinkat") else { return }
        _ = unsafe unlinkat(folder.descriptor, name, 0)
    }

    /// Waits for the contents to be on the disk, gives the file its final name in `target` (on the
    /// same file system) and waits for the folder.
    mutating func rename(
        to final: FilePath, in target: borrowing OpenFile, replacing: Bool
    ) throws(FileError) {
        guard let name else { return }
        let reported = target.path.appending(final)
        do throws(SystemError) {
            try file.synchronize()
            let from = try name.cString("renameat")
            let to = try final.cString("renameat")
            if replacing {
                guard unsafe renameat(folder.descriptor, from, target.descriptor, to) == 0 else {
                    throw SystemError.last("renameat", reported)
                }
            } else {
                try renameExclusively(from, target.descriptor, to, reported)
            }
            self.name = nil
            try target.synchronize()
        } catch {
            switch error.number {
            case .exists where !replacing: throw .exists(reported)
            case .isFolder where replacing: throw .notRegular(reported, .folder)
            default: throw .system(error)
            }
        }
    }

    private func renameExclusively(
        _ from: [CChar], _ target: Int32, _ to: [CChar], _ reported: FilePath
    ) throws(SystemError) {
        if unsafe grona_rename_exclusive(folder.descriptor, from, target, to) == 0 { return }
        let number = ErrorNumber.last
        guard number == .invalidArgument || number == .noSuchCall else {
            throw SystemError("renameat2", reported, number)
        }
        // A file system without RENAME_NOREPLACE: a second name, which never replaces either.
        guard unsafe linkat(folder.descriptor, from, target, to, 0) == 0 else {
            throw SystemError.last("linkat", reported)
        }
        _ = unsafe unlinkat(folder.descriptor, from, 0)
    }

    /// Removes the temporary files in a folder that dead processes left, and says how many.
    ///
    /// Whoever makes one holds a lock on it, so one that can be locked has no living owner; no
    /// other lock is needed. Links and files of other names are never touched.
    static func removeAbandoned(in folder: borrowing OpenFile) throws(FileError) -> Int {
        var count = 0
        for name in try FileSystem.names(in: folder, limit: 1_000_000)
        where TemporaryName.matches(name) {
            guard let text = try? name.cString("unlinkat"),
                let found = try? OpenFile(
                    name, [.nonBlocking, .noFollow], below: folder.descriptor),
                (try? found.status())?.kind == .regular,
                flock(found.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            if unsafe unlinkat(folder.descriptor, text, 0) == 0 { count += 1 }
        }
        return count
    }
}
