package import CampaignCompiler
package import ES256
package import GronaFormats
package import Libcrypto
package import LinuxIO

/// Why a project's files cannot be used, as data.
package enum ProjectFileError: Error, Sendable, Equatable {
    /// A file or folder could not be read or made.
    case file(FileError)
    /// Something else than a folder where one is needed.
    case notAFolder(FilePath, FileKind)
    /// A folder without `workspace.json`, which therefore is no workspace.
    case noWorkspace(FilePath)
    /// A folder below which no workspace stands.
    case noWorkspaces(FilePath)
    /// The workspace's policy does not pass its rules.
    case policy(FilePath, [Finding])
    /// There is no keyring for the workspace.
    case noKeyring(FilePath)
    /// A keyring or pins file is not of its form.
    case malformed(FilePath, FormatError)
    /// A keyring for another workspace than its folder is called.
    case keyringWorkspace(FilePath, found: WorkspaceName, folder: String)
    /// A public key on record is no P-256 key.
    case publicKey(FilePath, KeyID, PublicKeyError)
    /// A thumbprint on record is not that of the key (RFC 7638).
    case thumbprint(FilePath, KeyID, recorded: String, actual: String)
    /// Kids and keys that are not bound one to one over all keyrings.
    case bindings([BindingConflict])
    /// The keyring is not the one that was read before; digests of its bytes.
    case keyringMoved(FilePath, expected: SHA256Digest?, found: SHA256Digest?)
}
