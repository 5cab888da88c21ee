package import ES256
package import Libcrypto
import LinuxIO

/// A signer that gives out no signature which the pinned public half would refuse, whichever back
/// end made it.
package final class SelfVerifyingSigner: Sendable {
    package let publicKey: P256PublicKey
    private let key: any SigningKey

    /// - Parameter expected: the public half that the keyring records.
    package init(_ key: any SigningKey, expecting expected: P256PublicKey) throws(SigningKeyError) {
        guard key.publicKey == expected else {
            throw .keyMismatch(expected: expected.thumbprint, found: key.publicKey.thumbprint)
        }
        self.key = key
        publicKey = expected
    }

    /// - Returns: R then S, 64 bytes, valid for `publicKey`.
    /// - Throws: `badSignature` where the back end answered with anything else.
    package func sign(_ digest: SHA256Digest) throws(SigningKeyError) -> [UInt8] {
        let signature = try key.sign(digest)
        #if DEBUG
            StopPoint.signing.reached()
        #endif
        guard publicKey.isValidSignature(signature, for: digest) else { throw .badSignature }
        return signature
    }

    /// Signs something that is no JWS, to see whether the key answers and is the one that is
    /// printed or pinned: `grona-probe.` and random bytes. What stands before the dot decodes to
    /// no JSON, so that this is nobody's signing input.
    ///
    /// - Parameter random: 32 bytes.
    package func probe(_ random: [UInt8]) throws(SigningKeyError) {
        _ = try sign(SHA256.digest(Array("grona-probe.".utf8) + random))
    }
}
