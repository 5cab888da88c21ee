internal import Glibc

/// A file that appears whole or not at all: opened early, so that a bad path is found before any
/// work is done, and given its name late.
///
/// Until `commit` the bytes stand under a random temporary name in the same folder; it is removed
/// when the value ends without a commit, and after a kill by the next output to that folder. A device, pipe, socket, folder or link at the path is
/// refused, even when replacing.
package struct OutputFile: ~Copyable {
    package let path: FilePath
    private let folder: OpenFile
    private let name: FilePath
    private let replacing: Bool
    private var temporary: TemporaryFile

    /// Opens the output; `permissions` hold whatever the umask is. Throws `exists` when something
    /// is there and `replacing` is false.
    package init(
        at path: FilePath, replacing: Bool, permissions: UInt32 = 0o644
    ) throws(FileError) {
        guard let name = path.lastComponent, name.isName, path.bytes.last != .slash else {
            throw .notRegular(path, .folder)
        }
        let folder: OpenFile
        do { folder = try OpenFile(path.parent, [.folder]) } catch { throw .system(error) }
        try OutputFile.checkTarget(path, name, in: folder, replacing: replacing)
        // What earlier runs left that were killed; a folder that cannot be listed has none for us.
        _ = try? TemporaryFile.removeAbandoned(in: folder)
        let temporary: TemporaryFile
        do {
            temporary = try TemporaryFile(in: folder, permissions: permissions)
        } catch {
            throw .system(error)
        }
        self.init(
            path: path, folder: folder, name: name, replacing: replacing, temporary: temporary)
    }

    private init(
        path: FilePath, folder: consuming OpenFile, name: FilePath, replacing: Bool,
        temporary: consuming TemporaryFile
    ) {
        self.path = path
        self.folder = folder
        self.name = name
        self.replacing = replacing
        self.temporary = temporary
    }

    /// Adds bytes; for output that is made piece by piece.
    package mutating func write(_ bytes: [UInt8]) throws(FileError) {
        do { try temporary.file.writeAll(bytes) } catch { throw .system(error) }
    }

    /// The same for bytes that stay in guarded memory.
    package mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
        do { try temporary.file.writeAll(bytes) } catch { throw .system(error) }
    }

    /// Writes `bytes` to the disk and gives the file its name.
    package consuming func commit(_ bytes: [UInt8] = []) throws(FileError) {
        var output = self
        if !bytes.isEmpty { try output.write(bytes) }
        try OutputFile.checkTarget(
            output.path, output.name, in: output.folder, replacing: output.replacing)
        #if DEBUG
            StepPoint.reached("before file")
        #endif
        try output.temporary.rename(
            to: output.name, in: output.folder, replacing: output.replacing)
        #if DEBUG
            StepPoint.reached("after file")
        #endif
    }

    private static func checkTarget(
        _ path: FilePath, _ name: FilePath, in folder: borrowing OpenFile, replacing: Bool
    ) throws(FileError) {
        let status: FileStatus?
        do {
            status = try FileSystem.statusIfPresent(of: name, below: folder.descriptor)
        } catch {
            throw .system(error)
        }
        guard let status else { return }
        switch status.kind {
        case .regular: if !replacing { throw .exists(path) }
        case .link: throw .isLink(path)
        default: throw .notRegular(path, status.kind)
        }
    }
}
