import JOSE
import Libcrypto
package import StrictJSON

extension P256PublicKey {
    /// The X coordinate in base64url, as a JWK has it (RFC 7518, 6.2.1.2).
    package var x: String { Base64URL.encodedString(Array(uncompressedPoint[1..<33])) }
    /// The Y coordinate in base64url (RFC 7518, 6.2.1.3).
    package var y: String { Base64URL.encodedString(Array(uncompressedPoint[33..<65])) }

    /// The members that RFC 7638, 3.2 demands and no other, in lexicographic order.
    package var jwk: [UInt8] {
        Array("{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"\(x)\",\"y\":\"\(y)\"}".utf8)
    }

    /// SHA-256 of the JWK's required members in base64url (RFC 7638, 3): 43 characters.
    package var thumbprint: String {
        Base64URL.encodedString(SHA256.digest(jwk).bytes)
    }

    /// - Parameter jwk: a public key (RFC 7517, 4); members other than `kty`, `crv`, `x` and `y`
    ///   are passed over, but for those of a private key.
    package init(jwk: JSONElement) throws(PublicKeyError) {
        guard jwk["d"] == nil, jwk["k"] == nil else { throw .privateJWK }
        guard let kty = jwk["kty"], kty.equals("EC") else { throw .badJWK(member: "kty") }
        guard let crv = jwk["crv"], crv.equals("P-256") else { throw .badJWK(member: "crv") }
        let x = try Self.coordinate("x", of: jwk)
        let y = try Self.coordinate("y", of: jwk)
        try self.init(uncompressedPoint: [0x04] + x + y)
    }

    private static func coordinate(
        _ member: String, of jwk: JSONElement
    ) throws(PublicKeyError) -> [UInt8] {
        guard let text = jwk[member]?.utf8, let bytes = Base64URL.decode(text), bytes.count == 32
        else { throw .badJWK(member: member) }
        return bytes
    }
}
