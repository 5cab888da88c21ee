package import ES256
package import Libcrypto
package import LinuxIO

/// Why a key cannot be used or made.
package indirect enum SigningKeyError: Error, Equatable, Sendable {
    case badURI(SignerURIError)
    /// No back end of this program takes such keys.
    case unsupportedScheme(SignerScheme)
    /// Keys of this kind are made elsewhere.
    case cannotGenerate(SignerScheme)

    /// The key that was found is another than the keyring's; both as RFC 7638 thumbprints.
    case keyMismatch(expected: String, found: String)
    case unreachable(UnreachableKey)
    case notAllowed(RefusedAccess)

    /// A file with a secret that is not there, not safe or not readable.
    case secretFile(SecretFileError, holding: SecretKind)
    /// The file is there and holds no private key that may sign.
    case malformed(PrivateKeyError, at: FilePath)
    /// The key is encrypted and no source has a passphrase.
    case passphraseNeeded
    /// Nothing came from the terminal; for what it was asked.
    case prompt(TerminalError, for: SecretKind)
    /// What a source of PINs gave is none.
    case badPIN(PINFault)
    case token(TokenError)
    /// A key was made, or may have been, and then this went wrong.
    case keyMade(then: SigningKeyError)
    /// The new key file cannot be written; `exists` when there is one already.
    case output(FileError)

    /// An `exec:` program that cannot be asked or does not answer as it should.
    case program(ExecSignerError)

    /// A signature that came out of a back end and does not hold: a fault of ours or of its.
    case badSignature
    case outOfSecretMemory
    case libcrypto(LibcryptoError)
}

/// What is not there for a key to be asked.
package enum UnreachableKey: Hashable, Sendable {
    /// A `credential:` key, and `$CREDENTIALS_DIRECTORY` is not set.
    case noCredentialsFolder
    /// A PIN that is a credential, and `$CREDENTIALS_DIRECTORY` is not set.
    case noCredentialsFolderForPIN
}

/// Who said no.
package enum RefusedAccess: Hashable, Sendable {
    /// Not the passphrase of the key file, or a damaged file: one cannot be told from the other.
    case wrongPassphrase(at: FilePath)
}

/// What a secret file was read for.
package enum SecretKind: Hashable, Sendable {
    case key
    case passphrase
    case pin
}

/// What is wrong with the text of a PIN.
package enum PINFault: Hashable, Sendable {
    case empty
    case zeroByte
}
