package import ES256
package import GronaFormats
package import Libcrypto
package import LinuxIO

/// A keyring as it lies on disk: `<keys>/<workspace>/keyring.json`.
package struct KeyringFile: Sendable {
    package static let name = "keyring.json"

    package let path: FilePath
    package let keyring: Keyring

    /// SHA-256 of the file's bytes, which the audit log remembers.
    package let digest: SHA256Digest

    /// The folder in which the keyring and its key files stand.
    package var folder: FilePath { path.parent }

    /// Reads the keyring of a workspace.
    package static func read(
        _ workspace: WorkspaceName, below keys: FilePath
    ) throws(ProjectFileError) -> KeyringFile {
        try read(in: keys.appending(workspace.text))
    }

    /// Reads the keyring in a folder that is called like its workspace.
    package static func read(in folder: FilePath) throws(ProjectFileError) -> KeyringFile {
        let path = folder.appending(name)
        let bytes: [UInt8]
        do {
            bytes = try readFile(
                path, limit: Limits.Reader.keyring, links: .refuse, pipes: .refuse)
        } catch {
            throw error.isNotFound ? .noKeyring(path) : .file(error)
        }
        return try KeyringFile(path: path, bytes: bytes)
    }

    /// Checks the bytes of a keyring.
    init(path: FilePath, bytes: [UInt8]) throws(ProjectFileError) {
        let keyring: Keyring
        do { keyring = try Keyring(parsing: bytes) } catch { throw .malformed(path, error) }
        let folder = path.parent.lastComponent?.description ?? ""
        guard keyring.workspace.text.utf8.elementsEqual(folder.utf8) else {
            throw .keyringWorkspace(path, found: keyring.workspace, folder: folder)
        }
        try self.init(path: path, keyring: keyring, digest: SHA256.digest(bytes))
    }

    init(path: FilePath, keyring: Keyring, digest: SHA256Digest) throws(ProjectFileError) {
        for record in keyring.keys {
            let key: P256PublicKey
            do {
                key = try P256PublicKey(spki: record.publicKey.spki)
            } catch {
                throw .publicKey(path, record.kid, error)
            }
            guard key.thumbprint.utf8.elementsEqual(record.thumbprint.utf8) else {
                throw .thumbprint(
                    path, record.kid, recorded: record.thumbprint, actual: key.thumbprint)
            }
        }
        self.path = path
        self.keyring = keyring
        self.digest = digest
    }

    /// The keys of a use whose signatures count, with their points (signed-configuration: Pinned
    /// keys).
    package func trusted(_ use: KeyUse) -> [KeyID: P256PublicKey] {
        var trusted: [KeyID: P256PublicKey] = [:]
        for record in keyring.trusted(use) { trusted[record.kid] = publicKey(record.kid) }
        return trusted
    }

    /// A key on record as a point of the curve. Its bytes were checked when the keyring was read; the
    /// point is made when it is asked for, since it takes more memory than all the rest.
    package func publicKey(_ kid: KeyID) -> P256PublicKey? {
        keyring.key(kid).flatMap { try? P256PublicKey(spki: $0.publicKey.spki) }
    }
}
