import ES256
import JOSE
import Libcrypto
import StrictJSON
import TestSupport
import Testing

@Suite struct JWKTests {
    private func key(_ json: String) throws -> P256PublicKey {
        try P256PublicKey(jwk: JSONDocument.parse(Array(json.utf8)).root)
    }

    @Test("the thumbprint of the P-256 key of RFC 9449, 6.1")
    func thumbprint() throws {
        let key = try key(
            #"""
            {"kty":"EC","x":"l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
             "y":"9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA","crv":"P-256"}
            """#)
        #expect(key.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test("the steps of the thumbprint give that of RFC 7638, 3.1, whose key is RSA")
    func rfc7638() {
        let n =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSo"
            + "c_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65Y"
            + "GjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrd"
            + "kt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKn"
            + "qDKgw"
        let json = JSONValue.object([
            ("n", .string(n)), ("kty", .string("RSA")), ("e", .string("AQAB")),
        ]).canonical()
        #expect(
            Base64URL.encodedString(SHA256.digest(json).bytes)
                == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test("what is written is canonical JSON and is read again")
    func roundTrip() throws {
        let publicKey = try TestKey().publicKey
        let document = try JSONDocument.parse(publicKey.jwk)
        #expect(document.root.canonical() == publicKey.jwk)
        #expect(try P256PublicKey(jwk: document.root) == publicKey)
    }

    static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"

    @Test("members that say nothing of the key are passed over")
    func otherMembers() throws {
        _ = try key(
            """
            {"kty":"EC","crv":"P-256","x":"\(Self.x)","y":"\(Self.y)","use":"sig","kid":"a",
             "key_ops":["verify"],"alg":"ES256"}
            """)
    }

    @Test(
        "a member that is missing or wrong is named",
        arguments: [
            ("kty", #"{"crv":"P-256","x":"X","y":"Y"}"#),
            ("kty", #"{"kty":"OKP","crv":"P-256","x":"X","y":"Y"}"#),
            ("kty", #"{"kty":"ec","crv":"P-256","x":"X","y":"Y"}"#),
            ("crv", #"{"kty":"EC","x":"X","y":"Y"}"#),
            ("crv", #"{"kty":"EC","crv":"P-384","x":"X","y":"Y"}"#),
            ("x", #"{"kty":"EC","crv":"P-256","y":"Y"}"#),
            ("x", #"{"kty":"EC","crv":"P-256","x":1,"y":"Y"}"#),
            ("x", #"{"kty":"EC","crv":"P-256","x":"X=","y":"Y"}"#),
            ("x", #"{"kty":"EC","crv":"P-256","x":"XA","y":"Y"}"#),
            ("x", #"{"kty":"EC","crv":"P-256","x":"","y":"Y"}"#),
            ("y", #"{"kty":"EC","crv":"P-256","x":"X"}"#),
            ("y", #"{"kty":"EC","crv":"P-256","x":"X","y":"A"}"#),
            ("kty", "[]"),
        ])
    func badMembers(member: String, json: String) throws {
        let text = json.replacing("\"X", with: "\"\(Self.x)").replacing("\"Y", with: "\"\(Self.y)")
        #expect(throws: PublicKeyError.badJWK(member: member)) { _ = try key(text) }
    }

    @Test("a coordinate of 31 bytes is refused though its number is the same")
    func shortCoordinate() throws {
        // 32 bytes with a leading zero are the only form (RFC 7518, 6.2.1.2).
        let short = Base64URL.encodedString([UInt8](repeating: 1, count: 31))
        #expect(throws: PublicKeyError.badJWK(member: "x")) {
            _ = try key(#"{"kty":"EC","crv":"P-256","x":"\#(short)","y":"\#(Self.y)"}"#)
        }
    }

    @Test("X and Y that are on no curve are refused")
    func offCurve() throws {
        #expect(throws: PublicKeyError.notOnCurve) {
            _ = try key(#"{"kty":"EC","crv":"P-256","x":"\#(Self.x)","y":"\#(Self.x)"}"#)
        }
    }

    @Test("a private JWK is refused before anything else")
    func privateJWK() throws {
        #expect(throws: PublicKeyError.privateJWK) {
            _ = try key(
                #"{"kty":"EC","crv":"P-256","x":"\#(Self.x)","y":"\#(Self.y)","d":""}"#)
        }
    }
}
