package import JOSE
package import Libcrypto

extension SigningInput {
    /// SHA-256 of the signing input, which is never put together for it.
    package static func digest(protected: [UInt8], payload: [UInt8]) -> SHA256Digest {
        var hasher = SHA256Hasher()
        hasher.update(protected)
        hasher.update([UInt8(ascii: ".")])
        hasher.update(payload)
        return hasher.finish()
    }
}

extension FlattenedJWS {
    /// SHA-256 of the signing input.
    package var signingDigest: SHA256Digest {
        SigningInput.digest(protected: protected, payload: payload)
    }
}

extension CompactJWS {
    /// SHA-256 of the signing input.
    package var signingDigest: SHA256Digest {
        SigningInput.digest(protected: protected, payload: payload)
    }
}
