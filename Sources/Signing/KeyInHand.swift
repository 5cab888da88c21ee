package import ES256
package import GronaFormats
package import JOSE
import Libcrypto
package import SigningKeys

/// A key of a keyring that a back end has opened, with the public half that apps pin.
///
/// No signature leaves it that this half would refuse.
package struct KeyInHand: Sendable {
    package let record: KeyRecord
    private let signer: SelfVerifyingSigner

    package init(_ signer: SelfVerifyingSigner, record: KeyRecord) {
        self.signer = signer
        self.record = record
    }

    package var publicKey: P256PublicKey { signer.publicKey }

    /// An envelope (RFC 7515 7.2.2) over the canonical bytes of a payload.
    package func flattened(_ payload: [UInt8]) throws(SigningKeyError) -> FlattenedJWS {
        let protected = header(.config)
        let text = Base64URL.encode(payload)
        let unsigned = FlattenedJWS(protected: protected, payload: text, signature: [])
        return FlattenedJWS(
            protected: protected, payload: text,
            signature: try signature(over: unsigned.signingInput))
    }

    /// A token (RFC 7515 7.1) over the canonical bytes of its claims.
    package func compact(
        _ claims: [UInt8], _ type: DocumentType
    ) throws(SigningKeyError) -> CompactJWS {
        let protected = header(type)
        let text = Base64URL.encode(claims)
        let unsigned = CompactJWS(protected: protected, payload: text, signature: [])
        return CompactJWS(
            protected: protected, payload: text,
            signature: try signature(over: unsigned.signingInput))
    }

    /// Shows that the key answers and is the one that is recorded.
    ///
    /// - Parameter random: 32 bytes.
    package func probe(_ random: [UInt8]) throws(SigningKeyError) {
        try signer.probe(random)
    }

    func header(_ type: DocumentType) -> [UInt8] {
        ProtectedHeader(alg: KidRule.algorithm, kid: record.kid.text, typ: type.rawValue).encoded
    }

    private func signature(over input: [UInt8]) throws(SigningKeyError) -> [UInt8] {
        Base64URL.encode(try signer.sign(SHA256.digest(input)))
    }
}
