package import GronaFormats
package import Libcrypto
package import LinuxIO

/// The only way to write a keyring: one change at a time, under a lock on its folder, from the
/// state that was read to the state that was recorded.
///
/// A change is prepared, staged beside the keyring, recorded by the caller with both digests, and
/// then written. So a change which nobody recorded is noticed, and one that was recorded and not
/// written, since the process was killed in between, is finished by who comes next.
package struct KeyringEditor: ~Copyable {
    private let folder: Folder
    private let lock: FileLock
    private let path: FilePath

    /// The keyring as it stands; nil where there is none yet.
    package let current: KeyringFile?

    /// The keyring that was staged and not written, if one is there that can be read.
    package let staged: KeyringFile?
    private let stagedBytes: [UInt8]

    private static let stagedName: FilePath = "keyring.json.next"

    /// A change that can be recorded before it is made.
    package struct Change: Sendable {
        package let keyring: Keyring
        package let before: SHA256Digest?
        package let after: SHA256Digest
        fileprivate let bytes: [UInt8]
    }

    /// Opens, and where missing makes, the folder `<keys>/<workspace>`, and locks it.
    ///
    /// - Parameter waitingNanoseconds: How long another change may take.
    package init(
        _ workspace: WorkspaceName, below keys: FilePath,
        waitingNanoseconds: UInt64 = 5_000_000_000
    ) throws(ProjectFileError) {
        let place = keys.appending(workspace.text)
        let opened = try Self.open(place)
        let lock = try Self.lock(opened, waitingNanoseconds)
        try Self.requireStillThere(opened, place)
        let found = try Self.current(in: place)
        let path = place.appending(KeyringFile.name)
        let bytes = try Self.bytes(Self.stagedName, in: opened)
        self.staged = bytes.flatMap { try? KeyringFile(path: path, bytes: $0) }
        self.stagedBytes = bytes ?? []
        self.folder = opened
        self.lock = lock
        self.path = path
        self.current = found
    }

    private static func current(in place: FilePath) throws(ProjectFileError) -> KeyringFile? {
        do throws(ProjectFileError) {
            return try KeyringFile.read(in: place)
        } catch {
            guard case .noKeyring = error else { throw error }
            return nil
        }
    }

    private static func open(_ place: FilePath) throws(ProjectFileError) -> Folder {
        do { return try Folder(creating: place, permissions: 0o700) } catch { throw .file(error) }
    }

    /// Who had the lock before may have removed the folder that it had made for nothing.
    private static func requireStillThere(
        _ folder: borrowing Folder, _ place: FilePath
    ) throws(ProjectFileError) {
        do throws(FileError) {
            let opened = try folder.status()
            do throws(SystemError) {
                let found = try FileSystem.statusIfPresent(of: place)
                guard found?.isSameFile(as: opened) != true else { return }
            } catch {
                throw .system(error)
            }
        } catch {
            throw .file(error)
        }
        throw .keyringMoved(place, expected: nil, found: nil)
    }

    /// Removes the folder of a keyring that was to be made and was not; one with anything in it
    /// stays.
    package borrowing func abandon() {
        guard current == nil, staged == nil else { return }
        FileSystem.removeEmptyFolder(path.parent)
    }

    private static func lock(
        _ folder: borrowing Folder, _ waiting: UInt64
    ) throws(ProjectFileError) -> FileLock {
        do { return try folder.lock(waitingNanoseconds: waiting) } catch { throw .file(error) }
    }

    /// Checks a new state: its keys, and their bindings over all the other keyrings.
    package borrowing func prepare(
        _ keyring: Keyring, beside others: [KeyringFile]
    ) throws(ProjectFileError) -> Change {
        let bytes = keyring.serialized()
        // The bindings first: what is wrong with them is told by kids, and not by a line of a text
        // that is on no disk.
        let file = try KeyringFile(path: path, keyring: keyring, digest: SHA256.digest(bytes))
        let rest = others.filter { $0.keyring.workspace != keyring.workspace }
        let conflicts = BindingConflict.all(in: rest + [file])
            .filter { $0.concerns(keyring.workspace) }
        guard conflicts.isEmpty else { throw .bindings(conflicts) }
        _ = try KeyringFile(path: path, bytes: bytes)
        return Change(
            keyring: keyring, before: current?.digest, after: file.digest, bytes: bytes)
    }

    /// Puts a prepared change beside the keyring, on the disk when this returns.
    package borrowing func stage(_ change: Change) throws(ProjectFileError) {
        do throws(FileError) {
            try folder.replaceFile(Self.stagedName, change.bytes, permissions: 0o600)
        } catch {
            throw .file(error)
        }
    }

    /// Writes what another process staged; for the caller to have seen on record.
    package borrowing func finish() throws(ProjectFileError) -> KeyringFile? {
        guard let staged else { return nil }
        return try write(
            Change(
                keyring: staged.keyring, before: current?.digest, after: staged.digest,
                bytes: stagedBytes))
    }

    /// Writes a prepared change, whole or not at all, and reads it back.
    package borrowing func write(_ change: Change) throws(ProjectFileError) -> KeyringFile {
        let found = try digestOnDisk()
        guard found == change.before else {
            throw .keyringMoved(path, expected: change.before, found: found)
        }
        do throws(FileError) {
            let name = FilePath(KeyringFile.name)
            if change.before == nil {
                try folder.createFile(name, change.bytes, permissions: 0o600)
            } else {
                try folder.replaceFile(name, change.bytes, permissions: 0o600)
            }
            try folder.removeFile(Self.stagedName)
        } catch {
            throw .file(error)
        }
        return try KeyringFile.read(in: path.parent)
    }

    private borrowing func digestOnDisk() throws(ProjectFileError) -> SHA256Digest? {
        try Self.bytes(FilePath(KeyringFile.name), in: folder).map { SHA256.digest($0) }
    }

    private static func bytes(
        _ name: FilePath, in folder: borrowing Folder
    ) throws(ProjectFileError) -> [UInt8]? {
        do {
            return try folder.readIfPresent(name, limit: Limits.Reader.keyring)
        } catch {
            throw .file(error)
        }
    }
}
