package import Libcrypto

/// Why something is not a private key on P-256 that may sign.
///
/// Nothing of the file's contents is in here but identifiers that name algorithms.
package enum PrivateKeyError: Error, Hashable, Sendable {
    // The file.

    /// No line `-----BEGIN …-----`.
    case notPEM
    /// Binary; `openssl pkey -inform DER` turns DER into PEM.
    case binary
    /// A boundary or a line of base64 that is none (RFC 7468, 3), counted from 1.
    case malformedPEM(line: Int)
    /// Something other than white space before the first block.
    case textBeforeKey(line: Int)
    /// Something other than white space after the key, or more bytes than the key has.
    case trailingData
    case secondKey
    /// `BEGIN PUBLIC KEY`.
    case publicKey
    /// `BEGIN CERTIFICATE` and its kin.
    case certificate
    /// Another block that is no private key this program reads.
    case otherBlock(PEMLabel)
    /// A block encrypted the way of `Proc-Type: 4,ENCRYPTED`, whose key derivation is a single MD5.
    case legacyEncryption

    // What is in it.

    /// Not the DER structure of its label (RFC 5208, RFC 5915).
    case malformed
    /// The key of another algorithm, such as RSA or Ed25519.
    case otherAlgorithm(ObjectIdentifier)
    case otherCurve(ObjectIdentifier)
    case explicitParameters
    /// A key that does not say its curve.
    case noCurve
    /// A private value that is not written as 32 bytes (RFC 5915, 3).
    case scalarLength(Int)
    /// A private value outside 1…n−1.
    case scalarOutOfRange
    case compressedPoint
    case hybridPoint
    case badPoint
    /// The public half in the file is not what the private half gives.
    case publicHalfMismatch

    // Encryption.

    case passphraseNeeded
    /// Not the passphrase, or a damaged file: one cannot be told from the other.
    case wrongPassphrase
    /// A scheme other than PBES2 with PBKDF2 or scrypt and AES in CBC mode (RFC 8018, 6.2).
    case unsupportedEncryption(ObjectIdentifier)
    /// Key derivation that would take minutes or gigabytes.
    case costlyEncryption

    case outOfSecretMemory
    case libcrypto(LibcryptoError)
}

/// What a PEM block says it is, of those that are met in place of a private key on P-256.
package enum PEMLabel: String, Hashable, Sendable, CaseIterable {
    case rsaPrivateKey = "RSA PRIVATE KEY"
    case dsaPrivateKey = "DSA PRIVATE KEY"
    case openSSHPrivateKey = "OPENSSH PRIVATE KEY"
    case certificateRequest = "CERTIFICATE REQUEST"
    case dsaParameters = "DSA PARAMETERS"
    case dhParameters = "DH PARAMETERS"
    /// Any other.
    case unknown = ""
}
