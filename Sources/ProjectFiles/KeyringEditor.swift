package import GronaFormats
package import Libcrypto
package import LinuxIO

/// The only way to write a keyring: one change at a time, under a lock on its folder, from the
/// state that was read to the state that was recorded.
///
/// Between `prepare` and `write` the caller records both digests, so that a change which nobody
/// recorded is noticed.
package struct KeyringEditor: ~Copyable {
    private let folder: Folder
    private let lock: FileLock
    private let path: FilePath

    /// The keyring as it stands; nil where there is none yet.
    package let current: KeyringFile?

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
        let found = try Self.current(in: place)
        self.folder = opened
        self.lock = lock
        self.path = place.appending(KeyringFile.name)
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
        let file = try KeyringFile(path: path, bytes: bytes)
        let rest = others.filter { $0.keyring.workspace != keyring.workspace }
        let conflicts = BindingConflict.all(in: rest + [file])
            .filter { $0.concerns(keyring.workspace) }
        guard conflicts.isEmpty else { throw .bindings(conflicts) }
        return Change(
            keyring: keyring, before: current?.digest, after: file.digest, bytes: bytes)
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
        } catch {
            throw .file(error)
        }
        return try KeyringFile.read(in: path.parent)
    }

    private borrowing func digestOnDisk() throws(ProjectFileError) -> SHA256Digest? {
        do {
            let bytes = try folder.readIfPresent(
                FilePath(KeyringFile.name), limit: Limits.Reader.keyring)
            return bytes.map { SHA256.digest($0) }
        } catch {
            throw .file(error)
        }
    }
}
