import JOSE
import Libcrypto

extension P256PublicKey {
    private static func coordinate(_ bytes: ArraySlice<UInt8>) -> String {
        Base64URL.encodedString(Array(bytes))
    }

    /// The X coordinate in base64url, as a JWK has it (RFC 7518, 6.2.1.2).
    package var x: String { Self.coordinate(uncompressedPoint[1..<33]) }
    /// The Y coordinate in base64url (RFC 7518, 6.2.1.3).
    package var y: String { Self.coordinate(uncompressedPoint[33..<65]) }

    /// The members that RFC 7638, 3.2 demands and no other, in lexicographic order.
    package var jwk: [UInt8] {
        Array("{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"\(x)\",\"y\":\"\(y)\"}".utf8)
    }

    /// SHA-256 of the JWK's required members in base64url (RFC 7638, 3).
    package var thumbprint: String {
        Base64URL.encodedString(SHA256.digest(jwk).bytes)
    }
}
