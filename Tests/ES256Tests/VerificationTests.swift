import ES256
import JOSE
import Libcrypto
import StrictJSON
import TestSupport
import Testing

@Suite struct VerificationTests {
    static let rfc7515 = CompactJWS(
        protected: Array("eyJhbGciOiJFUzI1NiJ9".utf8),
        payload: Array(
            ("eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
                + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ").utf8),
        signature: Array(
            ("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSA"
                + "pmWQxfKTUJqPP3-Kg6NU1Q").utf8))

    private func rfc7515Key() throws -> P256PublicKey {
        let jwk = #"{"kty":"EC","crv":"P-256","x":"\#(JWKTests.x)","y":"\#(JWKTests.y)"}"#
        return try P256PublicKey(jwk: JSONDocument.parse(Array(jwk.utf8)).root)
    }

    @Test("the signature of RFC 7515, A.3 holds")
    func appendixA3() throws {
        let signature = try #require(Base64URL.decode(Self.rfc7515.signature))
        let key = try rfc7515Key()
        #expect(key.isValidSignature(signature, for: Self.rfc7515.signingDigest))
        #expect(Self.rfc7515.signingDigest == SHA256.digest(Self.rfc7515.signingInput))
    }

    @Test("one changed bit anywhere in the signature breaks it")
    func everyBit() throws {
        let signature = try #require(Base64URL.decode(Self.rfc7515.signature))
        let key = try rfc7515Key()
        for bit in 0..<512 {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!key.isValidSignature(changed, for: Self.rfc7515.signingDigest))
        }
    }

    @Test("another digest and another key refuse it")
    func others() throws {
        let signature = try #require(Base64URL.decode(Self.rfc7515.signature))
        #expect(!(try rfc7515Key().isValidSignature(signature, for: SHA256.digest([]))))
        let other = try TestKey().publicKey
        #expect(!other.isValidSignature(signature, for: Self.rfc7515.signingDigest))
    }

    @Test("the twin with n−S is valid too: signatures are malleable")
    func highS() throws {
        let key = try TestKey()
        let digest = SHA256.digest(Array("grant".utf8))
        let signature = try key.sign(digest)
        var twin = signature
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(Self.order[index]) - Int(signature[32 + index]) - borrow
            twin[32 + index] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        #expect(twin != signature)
        #expect(key.publicKey.isValidSignature(signature, for: digest))
        #expect(key.publicKey.isValidSignature(twin, for: digest))
    }

    static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63,
        0x25, 0x51,
    ]

    @Test("R and S outside 1…n−1 never verify")
    func range() throws {
        let key = try TestKey()
        let digest = SHA256.digest([])
        let good = try key.sign(digest)
        let zero = [UInt8](repeating: 0, count: 32)
        let all = [UInt8](repeating: 0xFF, count: 32)
        for bad in [zero, Self.order, all] {
            #expect(!key.publicKey.isValidSignature(bad + good[32...], for: digest))
            #expect(!key.publicKey.isValidSignature(good[..<32] + bad, for: digest))
        }
        #expect(!key.publicKey.isValidSignature(zero + zero, for: digest))
    }

    @Test("other lengths than 64 bytes are no signature", arguments: [0, 1, 63, 65, 70, 72])
    func length(count: Int) throws {
        let key = try TestKey()
        let digest = SHA256.digest([])
        let good = try key.sign(digest)
        let changed = Array((good + good).prefix(count))
        #expect(!key.publicKey.isValidSignature(changed, for: digest))
    }

    @Test("one key verifies on many threads at once")
    func threads() async throws {
        let key = try TestKey()
        let valid = try await withThrowingTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    try (0..<50).allSatisfy { round in
                        let digest = SHA256.digest([UInt8(task), UInt8(round)])
                        let signature = try key.sign(digest)
                        return key.publicKey.isValidSignature(signature, for: digest)
                    }
                }
            }
            return try await group.allSatisfy { $0 }
        }
        #expect(valid)
    }
}
