package import ES256
package import JOSE
package import Libcrypto
package import LibcryptoSigning

/// A fresh key with a key ID, and what can be signed with it.
package struct TestKey: Sendable {
    package let kid: String
    package let privateKey: P256PrivateKey

    package init(_ kid: String = "acme-market-2026-10") throws {
        self.kid = kid
        privateKey = try P256PrivateKey.generate()
    }

    /// A key that is there, under another name.
    package init(_ kid: String, like key: TestKey) {
        self.kid = kid
        privateKey = key.privateKey
    }

    package var publicKey: P256PublicKey { privateKey.publicKey }

    /// The public key as files carry it.
    package var publicText: String { publicKey.base64SPKI }

    /// RFC 7638.
    package var thumbprint: String { publicKey.thumbprint }

    /// An envelope around a payload, right in all but what the arguments make wrong.
    package func envelope(
        _ payload: [UInt8], alg: String = "ES256", typ: String = "grona-config+jws"
    ) throws -> FlattenedJWS {
        let protected = ProtectedHeader(alg: alg, kid: kid, typ: typ).encoded
        let text = Base64URL.encode(payload)
        return FlattenedJWS(
            protected: protected, payload: text, signature: try signature(protected, text))
    }

    /// A grant or preview pin around claims.
    package func token(
        _ claims: [UInt8], alg: String = "ES256", typ: String = "grona-grant+jwt"
    ) throws -> CompactJWS {
        let protected = ProtectedHeader(alg: alg, kid: kid, typ: typ).encoded
        let text = Base64URL.encode(claims)
        return CompactJWS(
            protected: protected, payload: text, signature: try signature(protected, text))
    }

    /// R then S, 64 bytes.
    package func sign(_ digest: SHA256Digest) throws -> [UInt8] {
        try privateKey.sign(digest)
    }

    /// The signature of two parts, whatever they are, in base64url.
    package func signature(_ protected: [UInt8], _ payload: [UInt8]) throws -> [UInt8] {
        let digest = SigningInput.digest(protected: protected, payload: payload)
        return Base64URL.encode(try privateKey.sign(digest))
    }
}
