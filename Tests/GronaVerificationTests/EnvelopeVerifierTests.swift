import DeviceModel
import GronaFormats
import GronaVerification
import JOSE
import TestSupport
import Testing

@Suite("Configs by trusted keys")
struct EnvelopeVerifierTests {
    private let key: TestKey
    private let other: TestKey

    init() throws {
        key = try TestKey("k1")
        other = try TestKey("k2")
    }

    private func verify(
        _ bytes: [UInt8], _ keyrings: [Keyring], _ query: EnvelopeQuery = EnvelopeQuery()
    ) throws -> Outcome {
        EnvelopeVerifier(trust: try TrustedKeys(keyrings: keyrings)).verify(bytes, query, at: now)
    }

    private func envelope(_ draft: Draft = .config, by key: TestKey? = nil) throws -> [UInt8] {
        try (key ?? self.key).envelope(draft.bytes).serialized()
    }

    @Test("a config by the current key is accepted, and all of it is known")
    func accepted() throws {
        let outcome = try verify(envelope(), [keyring([(key, .config, .current)])])
        #expect(outcome.accepted)
        #expect(outcome.kid?.text == "k1")
        #expect(outcome.head?.workspace == acme)
        #expect(outcome.namedChecks.map(\.name).first == "size")
        #expect(outcome.namedChecks.map(\.name).last == "min-sdk")
    }

    @Test(
        "every single changed byte of the signed parts makes the signature fail, or less readable")
    func tampering() throws {
        let jws = try key.envelope(Draft.config.bytes)
        let keyrings = [try keyring([(key, .config, .current)])]
        for position in stride(from: 0, to: jws.payload.count, by: 7) {
            var payload = jws.payload
            payload[position] = payload[position] == 0x41 ? 0x42 : 0x41
            let changed = FlattenedJWS(
                protected: jws.protected, payload: payload, signature: jws.signature)
            let outcome = try verify(changed.serialized(), keyrings)
            #expect(outcome.code == .signatureInvalid)
            #expect(outcome.head == nil)
        }
        var swapped = try #require(Base64URL.decode(jws.signature))
        swapped = Array(swapped[32...] + swapped[..<32])
        let outcome = try verify(
            FlattenedJWS(
                protected: jws.protected, payload: jws.payload,
                signature: Base64URL.encode(swapped)
            ).serialized(), keyrings)
        #expect(outcome.code == .signatureInvalid)
    }

    @Test("the kid's own key decides, not any trusted one")
    func kidNamesTheKey() throws {
        let impostor = TestKey("k1", like: other)
        let keyrings = [try keyring([(key, .config, .current), (other, .config, .standby)])]
        #expect(try verify(envelope(by: other), keyrings).accepted)
        #expect(try verify(envelope(by: impostor), keyrings).code == .signatureInvalid)
    }

    @Test(
        "the state of the key decides whether it counts",
        arguments: [
            (KeyState.current, true), (.retiring, true), (.standby, true), (.announced, true),
            (.generated, true), (.retired, false), (.destroyed, false), (.compromised, false),
        ])
    func states(state: KeyState, counts: Bool) throws {
        let outcome = try verify(envelope(), [keyring([(key, .config, state)])])
        #expect(outcome.accepted == counts)
        if !counts {
            #expect(outcome.violation?.code == .headerUnknownKid)
            #expect(outcome.violation?.detail == .kid("k1", state: state))
        }
    }

    @Test("of two upcoming keys only the next one counts")
    func onlyNext() throws {
        let keyrings = [try keyring([(key, .config, .generated), (other, .config, .standby)])]
        #expect(try verify(envelope(by: other), keyrings).accepted)
        let outcome = try verify(envelope(), keyrings)
        #expect(outcome.violation?.detail == .kid("k1", state: .generated))
    }

    @Test("a grant key is no config key")
    func uses() throws {
        let outcome = try verify(envelope(), [keyring([(key, .grant, .current)])])
        #expect(outcome.violation?.code == .headerUnknownKid)
        #expect(outcome.violation?.detail == .kid("k1", state: nil))
    }

    @Test("without a workspace it is that of the kid, and only its keys are trusted")
    func workspaceOfTheKid() throws {
        let keyrings = [
            try keyring([(key, .config, .current)]),
            try keyring([(other, .config, .current)], workspace: "acme-staging"),
        ]
        #expect(try verify(envelope(), keyrings).accepted)
        // The other workspace's key signs a config of this one.
        #expect(try verify(envelope(by: other), keyrings).code == .payloadWrongWorkspace)
        let staging = Draft.config.with("workspace", #""acme-staging""#)
        #expect(try verify(envelope(staging, by: other), keyrings).accepted)
        #expect(
            try verify(
                envelope(staging, by: other), keyrings, EnvelopeQuery(workspace: acme)
            ).code == .headerUnknownKid)
    }

    @Test("a kid that nobody knows is told, in any workspace and in none")
    func unknown() throws {
        for keyrings in [[], [try keyring([(other, .config, .current)])]] {
            let outcome = try verify(envelope(), keyrings)
            #expect(outcome.code == .headerUnknownKid)
        }
    }

    @Test("the query's SDK, highest version and demo option hold")
    func query() throws {
        let keyrings = [try keyring([(key, .config, .current)])]
        func run(_ query: EnvelopeQuery) throws -> Outcome {
            try verify(envelope(), keyrings, query)
        }
        #expect(try run(EnvelopeQuery(sdkVersion: SDKVersion("1.4.0"))).accepted)
        #expect(
            try run(EnvelopeQuery(sdkVersion: SDKVersion("1.3.9"))).code == .payloadNeedsNewerSDK)
        let highest = HighestVersion.accepted(try #require(ConfigVersion(8)))
        #expect(try run(EnvelopeQuery(highestVersion: highest)).code == .payloadRollback)
        #expect(try run(EnvelopeQuery(isDemo: true)).warnings.map(\.code) == [.payloadDemo])
        #expect(try run(EnvelopeQuery(channel: .bundle)).install.running?.channel == .bundle)
    }

    @Test("pins are trusted, both of them, and nothing else")
    func pins() throws {
        let third = try TestKey("k3")
        let pins = PinsFile(
            id: nil, workspace: try name(acme), config: try [key, other].map { try $0.pin() },
            grant: [])
        let verifier = EnvelopeVerifier(trust: try TrustedKeys(pins: pins))
        for (key, counts) in [(key, true), (other, true), (third, false)] {
            let outcome = verifier.verify(try envelope(by: key), EnvelopeQuery(), at: now)
            #expect(outcome.accepted == counts)
        }
    }
}

extension TestKey {
    func pin() throws -> Pin {
        let record = try record(.config, .current)
        return Pin(kid: record.kid, publicKey: record.publicKey)
    }
}
