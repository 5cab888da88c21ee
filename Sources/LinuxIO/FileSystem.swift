import CLinux
internal import Glibc

/// Single calls on paths, links included where the name says so.
package enum FileSystem {
    /// What a path names; the last step may be a link, which is followed unless `links` refuses,
    /// in which case the link itself is described.
    package static func status(
        of path: FilePath, links: LinkPolicy = .follow
    ) throws(SystemError) -> FileStatus {
        try status(
            of: path, below: AT_FDCWD, flags: links == .follow ? 0 : AT_SYMLINK_NOFOLLOW)
    }

    /// The same; nil when nothing is there.
    package static func statusIfPresent(
        of path: FilePath, links: LinkPolicy = .follow
    ) throws(SystemError) -> FileStatus? {
        do {
            return try status(of: path, links: links)
        } catch {
            guard error.number == .notFound else { throw error }
            return nil
        }
    }

    static func statusIfPresent(
        of name: FilePath, below folder: Int32
    ) throws(SystemError) -> FileStatus? {
        do {
            return try status(of: name, below: folder, flags: AT_SYMLINK_NOFOLLOW)
        } catch {
            guard error.number == .notFound else { throw error }
            return nil
        }
    }

    private static func status(
        of path: FilePath, below folder: Int32, flags: Int32
    ) throws(SystemError) -> FileStatus {
        var status = stat()
        let name = try path.cString("fstatat")
        guard unsafe fstatat(folder, name, &status, flags) == 0 else {
            throw SystemError.last("fstatat", path)
        }
        return FileStatus(status)
    }

    /// The names in a folder without `.` and `..`, in byte order; throws `tooLarge` beyond `limit`.
    package static func names(
        in path: FilePath, limit: Int = 1_000_000
    ) throws(FileError) -> [FilePath] {
        let folder: OpenFile
        do { folder = try OpenFile(path, [.folder]) } catch { throw .system(error) }
        return try names(in: folder, limit: limit)
    }

    static func names(
        in folder: borrowing OpenFile, limit: Int
    ) throws(FileError) -> [FilePath] {
        // A descriptor of its own, since reading moves it and the stream closes it.
        let opened = unsafe grona_openat(folder.descriptor, [0x2E, 0], O_RDONLY | O_DIRECTORY, 0)
        guard opened >= 0 else { throw .system(.last("openat", folder.path)) }
        guard let stream = unsafe fdopendir(opened) else {
            let error = SystemError.last("fdopendir", folder.path)
            _ = close(opened)
            throw .system(error)
        }
        defer { _ = unsafe closedir(stream) }
        var names: [FilePath] = []
        while true {
            Glibc.errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe FilePath(bytes: bytes.prefix { $0 != 0 })
            }
            guard name.isName else { continue }
            guard names.count < limit else { throw .tooLarge(folder.path, limit: limit) }
            names.append(name)
        }
        guard Glibc.errno == 0 else { throw .system(.last("readdir", folder.path)) }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Makes a folder and the missing ones above it; those made get exactly `permissions`, those
    /// that are there keep theirs.
    package static func createFolders(
        _ path: FilePath, permissions: UInt32
    ) throws(SystemError) {
        do {
            try ensureFolder(path, permissions: permissions)
        } catch {
            guard error.number == .notFound, path.parent != path else { throw error }
            try createFolders(path.parent, permissions: permissions)
            // Once more and no oftener: below a folder that is there, `/proc` and a folder that
            // was removed say ENOENT, too.
            try ensureFolder(path, permissions: permissions)
        }
    }

    private static func ensureFolder(
        _ path: FilePath, permissions: UInt32
    ) throws(SystemError) {
        do {
            try createFolder(path, permissions: permissions)
        } catch {
            guard error.number == .exists, try status(of: path).kind == .folder else { throw error }
        }
    }

    /// Makes one folder with exactly `permissions`, whatever the umask is.
    package static func createFolder(
        _ path: FilePath, permissions: UInt32
    ) throws(SystemError) {
        try createFolder(path, permissions: permissions, below: AT_FDCWD, reportedAs: path)
    }

    static func createFolder(
        _ path: FilePath, permissions: UInt32, below folder: Int32, reportedAs reported: FilePath
    ) throws(SystemError) {
        guard unsafe mkdirat(folder, try path.cString("mkdirat"), permissions & 0o700) == 0 else {
            throw SystemError.last("mkdirat", reported)
        }
        let made = try OpenFile(
            path, [.folder, .noFollow], below: folder, reportedAs: reported)
        try made.setPermissions(permissions)
    }

    /// Removes a file or a link; true when it was there.
    @discardableResult
    package static func removeFile(_ path: FilePath) throws(SystemError) -> Bool {
        if unsafe unlinkat(AT_FDCWD, try path.cString("unlinkat"), 0) == 0 { return true }
        guard ErrorNumber.last == .notFound else { throw SystemError.last("unlinkat", path) }
        return false
    }

    /// Removes a folder that has nothing in it; any other stays.
    package static func removeEmptyFolder(_ path: FilePath) {
        guard let name = try? path.cString("rmdir") else { return }
        _ = unsafe rmdir(name)
    }

    /// The absolute path without a link, `.` or `..` in it (`realpath`); everything must exist.
    package static func resolve(_ path: FilePath) throws(SystemError) -> FilePath {
        guard let resolved = unsafe realpath(try path.cString("realpath"), nil) else {
            throw SystemError.last("realpath", path)
        }
        defer { unsafe free(resolved) }
        return unsafe FilePath(
            bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// Where a link leads, as it is written in it.
    static func target(of link: FilePath) throws(SystemError) -> FilePath {
        let name = try link.cString("readlink")
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            return unsafe readlink(name, start, bytes.count)
        }
        guard count >= 0 else { throw SystemError.last("readlink", link) }
        return FilePath(bytes: bytes[..<count])
    }

    /// The same for a path of which only a part exists; what does not is put behind what does.
    ///
    /// `..` below what does not exist is refused (`EINVAL`): where it leads is not known yet.
    package static func resolveExistingPart(
        of path: FilePath
    ) throws(SystemError) -> FilePath {
        do {
            return try resolve(path)
        } catch {
            guard error.number == .notFound, path.parent != path, let name = path.lastComponent
            else { throw error }
            guard name != ".." else { throw SystemError("realpath", path, .invalidArgument) }
            let above = try resolveExistingPart(of: path.parent)
            return name == "." ? above : above.appending(name)
        }
    }

    /// The folder in which this process stands.
    package static func currentFolder() throws(SystemError) -> FilePath {
        try resolve(".")
    }

    /// Whether this process may run the file as a program.
    package static func isExecutable(_ path: FilePath) -> Bool {
        guard let name = try? path.cString("faccessat") else { return false }
        return unsafe faccessat(AT_FDCWD, name, X_OK, AT_EACCESS) == 0
    }

    /// The file of the program that runs, links resolved; nil without `/proc`.
    package static func ownProgram() -> FilePath? {
        try? resolve("/proc/self/exe")
    }
}
