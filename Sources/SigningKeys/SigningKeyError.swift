package import ES256

/// Why a key cannot be used.
package enum SigningKeyError: Error, Hashable, Sendable {
    /// No back end of this program takes such keys.
    case unsupportedScheme(SignerScheme)
    /// The key that was found is another than the keyring's; both as RFC 7638 thumbprints.
    case keyMismatch(expected: String, found: String)
    case malformed(PrivateKeyError)
    case passphraseNeeded
    /// A signature that came out of a back end and does not hold: a fault of ours or of its.
    case badSignature
}
