import CLinux
internal import Glibc

/// An open folder, and work below it that never follows a link and never leaves it.
///
/// Every path given to its methods is relative and without `..`; it may have several steps, and a
/// link in any of them is `isLink`. Renaming the folder elsewhere does not disturb the work, since
/// everything goes by the open descriptor.
package struct Folder: ~Copyable, Sendable {
    let file: OpenFile
    var means: BeneathOpen.Means

    package var path: FilePath { file.path }

    /// Opens a folder by a path of the user's, whose links are followed.
    package init(at path: FilePath) throws(FileError) {
        do {
            self.init(owning: try OpenFile(path, [.folder]))
        } catch {
            throw .system(error)
        }
    }

    /// The same, after making it and the folders above it that are missing, with `permissions`.
    package init(creating path: FilePath, permissions: UInt32) throws(FileError) {
        do { try FileSystem.createFolders(path, permissions: permissions) } catch {
            throw .system(error)
        }
        try self.init(at: path)
    }

    init(owning file: consuming OpenFile, means: BeneathOpen.Means = .kernelThenSteps) {
        self.file = file
        self.means = means
    }

    package borrowing func status() throws(FileError) -> FileStatus {
        do { return try file.status() } catch { throw .system(error) }
    }

    /// Gives the folder exactly these permissions.
    package borrowing func setPermissions(_ permissions: UInt32) throws(FileError) {
        do { try file.setPermissions(permissions) } catch { throw .system(error) }
    }

    // MARK: Folders below

    package borrowing func folder(_ relative: FilePath) throws(FileError) -> Folder {
        Folder(owning: try open(relative, [.folder]), means: means)
    }

    /// Opens a folder below, making what is missing of it with exactly `permissions`.
    package borrowing func creatingFolder(
        _ relative: FilePath, permissions: UInt32 = 0o755
    ) throws(FileError) -> Folder {
        do {
            return try folder(relative)
        } catch {
            guard error.isNotFound else { throw error }
        }
        let components = relative.components
        guard components.allSatisfy(\.isName) else { throw .invalidName(relative) }
        var here = Folder(owning: try duplicate(), means: means)
        for component in components {
            here = try here.creatingStep(component, permissions: permissions)
        }
        return here
    }

    private borrowing func creatingStep(
        _ name: FilePath, permissions: UInt32
    ) throws(FileError) -> Folder {
        do {
            try FileSystem.createFolder(
                name, permissions: permissions, below: file.descriptor,
                reportedAs: path.appending(name))
            try file.synchronize()
        } catch {
            // It was there, or another process was faster.
            guard error.number == .exists else { throw .system(error) }
        }
        return try folder(name)
    }

    private borrowing func duplicate() throws(FileError) -> OpenFile {
        let copy = grona_duplicate_above(file.descriptor, 3)
        guard copy >= 0 else { throw .system(.last("fcntl", path)) }
        return OpenFile(owning: copy, path: path)
    }

    // MARK: Reading

    /// Reads a regular file below; anything else is `notRegular`, more than `limit` bytes
    /// `tooLarge`.
    package borrowing func read(_ relative: FilePath, limit: Int) throws(FileError) -> [UInt8] {
        let opened = try open(relative, [.nonBlocking])
        let status: FileStatus
        do { status = try opened.status() } catch { throw .system(error) }
        guard status.kind == .regular else { throw .notRegular(opened.path, status.kind) }
        return try readWhole(opened, limit: limit)
    }

    /// The same; nil when the file, or a folder on the way, is not there.
    package borrowing func readIfPresent(
        _ relative: FilePath, limit: Int
    ) throws(FileError) -> [UInt8]? {
        do {
            return try read(relative, limit: limit)
        } catch {
            guard error.isNotFound else { throw error }
            return nil
        }
    }

    /// What stands at a path below; nil when nothing does. A link in the last step is described.
    package borrowing func status(of relative: FilePath) throws(FileError) -> FileStatus? {
        do {
            let place = try place(relative)
            return try place.status()
        } catch {
            guard error.isNotFound else { throw error }
            return nil
        }
    }

    /// The names in this folder in byte order, temporary files of ours left out; throws `tooLarge`
    /// beyond `limit` names.
    package borrowing func names(limit: Int = 1_000_000) throws(FileError) -> [FilePath] {
        try FileSystem.names(in: file, limit: limit).filter { !TemporaryName.matches($0) }
    }

    /// Opens a regular file in this folder for reading and writing; nil when it is not there.
    package borrowing func openFile(_ relative: FilePath) throws(FileError) -> OpenFile? {
        do {
            let opened = try open(relative, [.readAndWrite, .nonBlocking])
            let kind = try opened.status().kind
            guard kind == .regular else { throw FileError.notRegular(opened.path, kind) }
            return opened
        } catch let error as SystemError {
            throw .system(error)
        } catch let error as FileError {
            if error.isNotFound { return nil }
            throw error
        } catch {
            return nil
        }
    }

    // MARK: Locking

    /// Locks this folder against others that lock it (`flock` on a descriptor of its own, so that
    /// threads exclude each other too), waiting up to `waitingNanoseconds`.
    package borrowing func lock(
        _ kind: FileLock.Kind = .exclusive, waitingNanoseconds: UInt64 = 5_000_000_000
    ) throws(FileError) -> FileLock {
        let opened: OpenFile
        do {
            opened = try OpenFile(".", [.folder], below: file.descriptor, reportedAs: path)
        } catch {
            throw .system(error)
        }
        return try FileLock(locking: opened, kind, waitingNanoseconds: waitingNanoseconds)
    }

    // MARK: Opening

    borrowing func open(
        _ relative: FilePath, _ options: OpenFile.Options
    ) throws(FileError) -> OpenFile {
        try BeneathOpen.open(relative, options, below: file, means: means)
    }

    /// The folder in which the last step of a path stands, opened, and the name of that step.
    borrowing func place(_ relative: FilePath) throws(FileError) -> Place {
        let components = relative.components
        guard !relative.isAbsolute, let name = components.last,
            components.allSatisfy(\.isName)
        else { throw .invalidName(relative) }
        guard components.count > 1 else { return Place(folder: try duplicate(), name: name) }
        return Place(folder: try open(relative.parent, [.folder]), name: name)
    }
}

/// A name in an open folder.
struct Place: ~Copyable {
    let folder: OpenFile
    let name: FilePath
}
