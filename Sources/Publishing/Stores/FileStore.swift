package import GronaFormats
import Libcrypto
import LinuxIO
package import PublishProtocol

/// A folder as a store, to be served by a web server.
///
/// Conditional writes are real: a swap compares the bytes and renames under a lock (`flock`) on the
/// workspace's opened folder, which leaves no file and ends with the process; a claim is an
/// exclusive create. The entity tag is the SHA-256 of the bytes. Nothing is opened through a link,
/// what is served has mode 0644 in folders of 0755, and no temporary file stays: those of killed
/// publishers are removed by the next one that writes.
package final class FileStore: PublicationStore {
    package static let scheme = "file:"
    /// How long a swap waits for another one.
    package static let lockNanoseconds: UInt64 = 5_000_000_000

    private static let folderPermissions: UInt32 = 0o755
    private static let filePermissions: UInt32 = 0o644

    package let name: String
    private let root: Folder
    private let lockNanoseconds: UInt64

    /// - Parameter address: `file:` and the path of a folder that is there.
    package init(
        _ address: String, lockNanoseconds: UInt64 = FileStore.lockNanoseconds
    ) throws(StoreError) {
        guard address.utf8.starts(with: Self.scheme.utf8) else { throw .unknownKind(address) }
        let text = String(address.dropFirst(Self.scheme.count))
        let path = FilePath(text.utf8.starts(with: "///".utf8) ? String(text.dropFirst(2)) : text)
        guard !path.isEmpty else { throw .unknownKind(address) }
        do {
            let resolved = try FileSystem.resolve(path)
            name = Self.scheme + resolved.description
            root = try Folder(at: resolved)
        } catch let error as SystemError {
            throw .noFolder(path, .system(error))
        } catch let error as FileError {
            throw .noFolder(path, error)
        } catch {
            throw .unknownKind(address)
        }
        self.lockNanoseconds = lockNanoseconds
    }

    // MARK: Reading

    package func read(_ key: StoreKey) throws(StoreError) -> StoredObject? {
        do {
            return try object(key.path)
        } catch {
            throw .file(error, during: .reading)
        }
    }

    private func object(_ path: FilePath) throws(FileError) -> StoredObject? {
        do {
            let bytes = try root.readIfPresent(path, limit: Limits.Reader.envelope)
            return bytes.map { StoredObject(bytes: $0, tag: Self.tag(of: $0)) }
        } catch {
            guard let status = try root.status(of: path) else { throw error }
            if status.kind != .regular {
                return StoredObject(bytes: nil, tag: Self.tag(of: status), isFile: false)
            }
            guard case .tooLarge = error else { throw error }
            return StoredObject(bytes: nil, tag: Self.tag(of: status))
        }
    }

    private static func tag(of bytes: [UInt8]) -> EntityTag {
        EntityTag(SHA256.digest(bytes).hex)
    }

    /// Of something that is too large to be read.
    private static func tag(of status: FileStatus) -> EntityTag {
        EntityTag(
            "\(status.inode)-\(status.size)-\(status.modified.seconds)"
                + "-\(status.modified.nanoseconds)")
    }

    package func versions(
        of workspace: WorkspaceName, from floor: Int64
    ) throws(StoreError) -> [ConfigVersion] {
        try names(in: StoreKey.folder(of: workspace).appending(StoreKey.versions))
            .compactMap(StoreKey.version(fileName:)).filter { $0.number >= floor }
    }

    package func bundles(of workspace: WorkspaceName) throws(StoreError) -> [BundleName] {
        try names(in: StoreKey.folder(of: workspace).appending(StoreKey.bundles))
            .compactMap(StoreKey.bundle(fileName:))
    }

    package func workspaces() throws(StoreError) -> [WorkspaceName] {
        try names(in: StoreKey.root).compactMap { name in
            String(validating: name.bytes, as: UTF8.self).flatMap(WorkspaceName.init(_:))
        }.filter { !$0.text.utf8.elementsEqual(StoreKey.probe.utf8) }
    }

    private func names(in path: FilePath) throws(StoreError) -> [FilePath] {
        do {
            return try root.folder(path).names()
        } catch {
            guard !error.isNotFound else { return [] }
            throw .file(error, during: .reading)
        }
    }

    // MARK: Writing

    package func create(_ key: StoreKey, _ bytes: [UInt8]) throws(StoreError) -> WriteAnswer {
        do {
            let folder = try servedFolder(key.path.parent)
            guard let name = key.path.lastComponent else { throw FileError.invalidName(key.path) }
            try folder.removeAbandoned()
            do {
                try folder.createFile(name, bytes, permissions: Self.filePermissions)
            } catch {
                return try answer(error, folder, name, bytes)
            }
            return .done
        } catch let error as FileError {
            throw .file(error, during: .writing)
        } catch {
            return .notKnown
        }
    }

    package func replace(
        _ key: StoreKey, _ bytes: [UInt8], ifMatching tag: EntityTag
    ) throws(StoreError) -> WriteAnswer {
        do {
            let folder = try root.folder(key.path.parent)
            guard let name = key.path.lastComponent else { throw FileError.invalidName(key.path) }
            let lock = try folder.lock(.exclusive, waitingNanoseconds: lockNanoseconds)
            defer { withExtendedLifetime(lock) {} }
            try folder.removeAbandoned()
            guard try object(key.path)?.tag == tag else { return .lost }
            do {
                try folder.replaceFile(name, bytes, permissions: Self.filePermissions)
            } catch {
                return try answer(error, folder, name, bytes)
            }
            return .done
        } catch let error as FileError {
            if error.isNotFound { return .lost }
            throw .file(error, during: .writing)
        } catch {
            return .notKnown
        }
    }

    /// The folder at a path below the root, made where it is missing.
    ///
    /// A publisher that dies between making a folder and opening it to others leaves one that no
    /// web server can read: such a one of ours is mended.
    private func servedFolder(_ path: FilePath) throws(FileError) -> Folder {
        guard let first = path.components.first else { throw .invalidName(path) }
        var here = try root.creatingFolder(first, permissions: Self.folderPermissions)
        try Self.mend(here)
        for name in path.components.dropFirst() {
            here = try here.creatingFolder(name, permissions: Self.folderPermissions)
            try Self.mend(here)
        }
        return here
    }

    private static func mend(_ folder: borrowing Folder) throws(FileError) {
        let status = try folder.status()
        guard status.permissions == folderPermissions & 0o700,
            status.owner == UserIdentity.currentUserID
        else { return }
        try folder.setPermissions(folderPermissions)
    }

    /// What a write that failed has done: a name that was there, nothing, or perhaps all of it
    /// when the failure came after the rename.
    private func answer(
        _ error: FileError, _ folder: borrowing Folder, _ name: FilePath, _ bytes: [UInt8]
    ) throws(FileError) -> WriteAnswer {
        if case .exists = error { return .lost }
        let found = try? folder.readIfPresent(name, limit: Limits.Reader.envelope)
        guard found == bytes else { throw error }
        return .notKnown
    }
}
