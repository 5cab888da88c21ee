package import ES256
package import GronaFormats
package import Libcrypto

/// A private key that some back end holds and that is ready to sign.
package protocol SigningKey: Sendable {
    /// The public half as the back end tells it.
    var publicKey: P256PublicKey { get }

    /// - Returns: R then S, 64 bytes (RFC 7518, 3.4). The caller verifies it: see
    ///   `SelfVerifyingSigner`.
    func sign(_ digest: SHA256Digest) throws(SigningKeyError) -> [UInt8]
}

/// Where private keys of one kind live.
package protocol KeyBackEnd: Sendable {
    /// The schemes of the signer URIs that are this back end's.
    var schemes: Set<SignerScheme> { get }

    /// Finds a key and makes it ready to sign: reads the file, logs in to the token, starts the
    /// program. What can fail without the key fails here and not when signing.
    ///
    /// - Parameters:
    ///   - kid: what an `exec:` program is asked for.
    ///   - expected: the public half on record; `nil` for a key that no keyring has yet. A back end
    ///     that cannot tell the public half by itself proves this one with a signature.
    func open(
        _ signer: SignerURI, kid: KeyID, expecting expected: P256PublicKey?
    ) throws(SigningKeyError) -> any SigningKey

    /// Makes a new key where the URI points to, never in place of another, and opens it.
    func generate(_ signer: SignerURI, kid: KeyID) throws(SigningKeyError) -> any SigningKey
}
