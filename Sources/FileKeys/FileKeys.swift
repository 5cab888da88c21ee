package import ES256
package import GronaFormats
import LibcryptoSigning
package import LinuxIO
import SecretMemory
package import SigningKeys

/// Keys in PEM files: `file:` below the keyring's folder, `credential:` below
/// `$CREDENTIALS_DIRECTORY`.
///
/// A file is checked on its open descriptor before it is read (`SecretFile`), and read straight
/// into guarded memory.
package struct FileKeys: KeyBackEnd {
    /// In bytes; the longest encrypted key is below 1 KiB.
    package static let limit = 64 * 1024

    private let folder: FilePath
    private let credentials: FilePath?
    private let owners: TrustedOwners
    private let passphrases: PassphraseSources

    /// - Parameter folder: where the keyring stands.
    package init(
        folder: FilePath, credentials: FilePath? = Environment.path("CREDENTIALS_DIRECTORY"),
        owners: TrustedOwners, passphrases: PassphraseSources
    ) {
        self.folder = folder
        self.credentials = credentials
        self.owners = owners
        self.passphrases = passphrases
    }

    package var schemes: Set<SignerScheme> { [.file, .credential] }

    package func open(
        _ signer: SignerURI, kid: KeyID, expecting expected: P256PublicKey?
    ) throws(SigningKeyError) -> any SigningKey {
        try load(path(of: signer), kid: kid)
    }

    /// Writes a new key with mode 0600 and reads it back the way it will be read. It is encrypted
    /// when a file or a credential has a passphrase; nobody is asked for one.
    package func generate(
        _ signer: SignerURI, kid: KeyID
    ) throws(SigningKeyError) -> any SigningKey {
        guard signer.scheme == .file else { throw .cannotGenerate(signer.scheme) }
        let path = try path(of: signer)
        let output: OutputFile
        do {
            output = try OutputFile(at: path, replacing: false, permissions: 0o600)
        } catch {
            throw .output(error)
        }
        let passphrase = try passphrases.storedPassphrase(for: kid)
        let key: P256PrivateKey
        let text: SecretBytes
        do {
            key = try P256PrivateKey.generate()
            if let passphrase {
                text = try key.encryptedPKCS8PEM(passphrase: passphrase)
            } else {
                text = try key.pkcs8PEM()
            }
        } catch {
            throw .malformed(error, at: path)
        }
        try Self.write(text, to: output)
        let written = try load(path, kid: kid)
        guard written.publicKey == key.publicKey else {
            throw .keyMismatch(
                expected: key.publicKey.thumbprint, found: written.publicKey.thumbprint)
        }
        return written
    }

    private static func write(
        _ text: borrowing SecretBytes, to output: consuming OutputFile
    ) throws(SigningKeyError) {
        var output = output
        do {
            try text.withSpan { span throws(FileError) in try output.write(span) }
            try output.commit()
        } catch {
            throw .output(error)
        }
    }

    private func path(of signer: SignerURI) throws(SigningKeyError) -> FilePath {
        switch signer {
        case .file(let path): return folder.appending(FilePath(path))
        case .credential(let name):
            guard let credentials else { throw .unreachable(.noCredentialsFolder) }
            return credentials.appending(FilePath(name))
        case .pkcs11, .exec: throw .unsupportedScheme(signer.scheme)
        }
    }

    private func load(_ path: FilePath, kid: KeyID) throws(SigningKeyError) -> FileKey {
        let text = try SecretFile.contents(
            of: path, limit: Self.limit, holding: .key, trusting: owners,
            credentials: credentials)
        // What went wrong with the passphrase, which the reader of keys has no case for.
        var failure: SigningKeyError?
        do throws(PrivateKeyError) {
            let key = try P256PrivateKey.load(pem: text) {
                do throws(SigningKeyError) {
                    return try passphrases.passphrase(for: kid)
                } catch {
                    failure = error
                    return nil
                }
            }
            #if DEBUG
                StopPoint.keyRead.reached()
            #endif
            return FileKey(key)
        } catch {
            switch error {
            case .passphraseNeeded: throw failure ?? .passphraseNeeded
            case .wrongPassphrase: throw .notAllowed(.wrongPassphrase(at: path))
            case .outOfSecretMemory: throw .outOfSecretMemory
            case .libcrypto(let error): throw .libcrypto(error)
            default: throw .malformed(error, at: path)
            }
        }
    }
}
