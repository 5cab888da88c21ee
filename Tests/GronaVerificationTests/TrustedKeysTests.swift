import ES256
import GronaFormats
import GronaVerification
import TestSupport
import Testing

@Suite("Trusted keys")
struct TrustedKeysTests {
    private func trust(_ keyrings: [Keyring]) throws -> TrustedKeys {
        try TrustedKeys(keyrings: keyrings)
    }

    private func refusal(_ keyrings: [Keyring]) throws -> TrustError {
        try #require(throws: TrustError.self) { try TrustedKeys(keyrings: keyrings) }
    }

    @Test("a kid in two workspaces, or a key under two kids, is a broken binding")
    func bindings() throws {
        let key = try TestKey("k1")
        let sameKid = try TestKey("k1")
        let sameKey = TestKey("k9", like: key)
        let first = try keyring([(key, .config, .current)])
        let kid = try #require(KeyID("k1"))
        let nine = try #require(KeyID("k9"))
        #expect(
            try refusal([first, keyring([(sameKid, .config, .current)], workspace: "other")])
                == .kidTwice(kid))
        #expect(
            try refusal([first, keyring([(sameKey, .config, .current)], workspace: "other")])
                == .keyTwice(kid, nine))
        #expect(
            try refusal([first, keyring([(sameKey, .grant, .current)], workspace: "other")]).code
                == .keyBinding)
        let apart = try TestKey("k9")
        let both = try trust([first, keyring([(apart, .grant, .current)], workspace: "other")])
        #expect(both[nine]?.workspace.text == "other")
    }

    @Test("a thumbprint that is not the key's is refused")
    func thumbprint() throws {
        let key = try TestKey("k1")
        let other = try TestKey("k2")
        var record = try key.record(.config, .current)
        record.thumbprint = other.publicKey.thumbprint
        var keyring = try keyring([])
        keyring.keys = [record]
        #expect(
            try refusal([keyring])
                == .thumbprint(try #require(KeyID("k1")), workspace: name(acme)))
    }

    @Test("bytes that are no key of the curve are refused")
    func noKey() throws {
        let key = try TestKey("k1")
        var record = try key.record(.config, .current)
        var spki = record.publicKey.spki
        spki[90] ^= 1
        record.publicKey = try #require(PublicKeyText(spki: spki))
        var keyring = try keyring([])
        keyring.keys = [record]
        #expect(try refusal([keyring]).code == .keyMalformed)
    }
}
