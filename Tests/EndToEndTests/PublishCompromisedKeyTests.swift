import ES256
import Foundation
import GronaFormats
import JOSE
import LibcryptoSigning
import LinuxIO
import SecretMemory
import StrictJSON
import TestSupport
import Testing

/// A key becomes known to others: in one edit of the keyring it is compromised and the next one signs.
@Suite struct PublishCompromisedKeyTests {
    private let setting: PublishSetting
    private let old = "acme-market-2026-10"
    private let new = "acme-market-2026-11"
    private let offer = "weekend-offer"

    init() throws {
        setting = try PublishSetting()
        let made = try setting.signing.run([
            "keys", "generate", "--workspace", "acme-market", "--use", "config", "--kid", new,
            "--signer", "file:\(new).pem",
        ])
        try #require(made.isSuccess, "\(made.errors)")
        for version in 1...3 { try setting.publish(version) }
    }

    private var keyring: String { setting.path("keys/acme-market/keyring.json") }

    /// One edit of the keyring, accepted by the signer.
    private func edit(_ states: [String: String]) throws {
        let root = try JSONDocument.parse(Array(try Data(contentsOf: URL(filePath: keyring)))).root
        let members: [(String, JSONValue)] = root.members.map { member in
            guard member.name == "keys" else { return (member.name, .element(member.value)) }
            return ("keys", .array(member.value.elements.map { edited($0, states) }))
        }
        try Data(JSONValue.object(members).canonical()).write(to: URL(filePath: keyring))
        let accepted = try setting.shell(
            #"""
            cd "$DIR" && SIGN="${PUBLISH%/*}/grona-sign"
            "$SIGN" keys check --workspace acme-market \
                --accept "$(sha256sum <keys/acme-market/keyring.json | cut -c -64)"
            """#)
        try #require(accepted.isSuccess, "\(accepted.errors)")
    }

    private func edited(_ key: JSONElement, _ states: [String: String]) -> JSONValue {
        guard let kid = key["kid"]?.string, let state = states[kid] else { return .element(key) }
        let time = key["history"]?.elements.compactMap { $0["at"]?.integer }.max() ?? 0
        return .object(
            key.members.map { member in
                switch member.name {
                case "state": return ("state", .string(state))
                case "history":
                    let line = JSONValue.object([
                        ("at", .integer(time + 1)), ("state", .string(state)),
                    ])
                    return (
                        "history", .array(member.value.elements.map { .element($0) } + [line])
                    )
                default: return (member.name, .element(member.value))
                }
            })
    }

    private func compromise() throws { try edit([old: "compromised", new: "current"]) }

    private func servedKid() throws -> String? {
        let envelope = try JSONDocument.parse(
            Array(try Data(contentsOf: URL(filePath: setting.served)))
        ).root
        let header = try #require(envelope["protected"]?.string)
        return try JSONDocument.parse(try #require(Base64URL.decode(Array(header.utf8)))).root[
            "kid"]?.string
    }

    private func refresh() throws -> Program.Answer { try setting.run(["refresh", "acme-market"]) }

    @Test func `A refresh has it signed by the next key, and nothing is an alarm`() throws {
        try compromise()
        let shown = try setting.run(["refresh", "acme-market", "--dry-run", "--json"])
        #expect(shown.output.contains(#""reason":"key""#), "\(shown.output)")
        let answer = try refresh()
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(!answer.errors.contains("served."), "\(answer.errors)")
        #expect(!answer.errors.contains("claim."), "\(answer.errors)")
        #expect(try servedKid() == new)
        #expect(try setting.servedPayload()["version"]?.integer == 4)
        let status = try setting.run(["status", "acme-market"])
        #expect(status.isSuccess, "\(status.output)")
        let health = try setting.run(["health", "acme-market", "--from", setting.store])
        #expect(health.isSuccess, "\(health.errors)")
    }

    @Test func `Until then, everything tells whose signature it is and what to do`() throws {
        try compromise()
        let words = "signed by \(old), which is compromised: devices that pin it still take it"
        let status = try setting.run(["status", "acme-market"])
        #expect(status.exit == .exited(1), "\(status.output)")
        #expect(status.output.contains("served.untrusted-key"), "\(status.output)")
        #expect(status.output.contains("grona-publish refresh acme-market"), "\(status.output)")
        for untrue in ["served.unusable", "claim.untrusted", "served.rolled-back"] {
            #expect(!status.output.contains(untrue), "\(status.output)")
        }
        let health = try setting.run(["health", "acme-market"])
        #expect(health.exit == .exited(1))
        #expect(health.errors.contains(words), "\(health.errors)")
        let file = setting.path("fetched.json")
        let fetched = try setting.run(["fetch", "acme-market", "-o", file])
        #expect(fetched.isSuccess, "\(fetched.errors)")
        #expect(fetched.errors.contains(words), "\(fetched.errors)")
        let claim = try setting.run(["fetch", "acme-market", "--claimed", "2"])
        #expect(claim.isSuccess, "\(claim.errors)")
        let history = try setting.run(["history", "acme-market"])
        #expect(!history.output.contains("untrusted"), "\(history.output)")
        // What such a key signed is not published again.
        expectRefusal(try setting.run(["push", file]), 65, "header.unknown-kid")
    }

    @Test func `An offer is switched off before anything is renewed`() throws {
        try compromise()
        let answer = try setting.run(["kill", "acme-market", offer])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try setting.isOn(offer) == false)
        #expect(try servedKid() == new)
    }

    @Test func `Older content comes back, signed by the next key`() throws {
        try compromise()
        let answer = try setting.run(["rollback", "acme-market", "--to-version", "2"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try servedKid() == new)
    }

    @Test func `A store that was lost is recovered, signed by the next key`() throws {
        try compromise()
        try FileManager.default.removeItem(atPath: setting.path("public/v1"))
        let answer = try setting.run(["recover", "acme-market", "--yes"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try servedKid() == new)
        #expect(try setting.servedPayload()["version"]?.integer == 4)
    }

    @Test(arguments: ["retired", "destroyed"])
    func `What a key signed that was put away too soon is renewed`(_ state: String) throws {
        try edit([old: state, new: "current"])
        let status = try setting.run(["status", "acme-market"])
        #expect(status.output.contains("signed by \(old), which is \(state)"), "\(status.output)")
        let answer = try refresh()
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(!answer.errors.contains("served."), "\(answer.errors)")
        #expect(try servedKid() == new)
    }

    // MARK: A thief

    /// What somebody signs who has the key.
    private func stolen(_ version: Int64) throws -> [UInt8] {
        let pem = try String(
            contentsOfFile: setting.path("keys/acme-market/\(old).pem"), encoding: .utf8)
        let key = try P256PrivateKey.load(pem: try .of(pem)) { () throws(PrivateKeyError) in nil }
        var payload: [(String, JSONValue)] = [
            ("version", .integer(version)), ("settings", .object([("stolen", .boolean(true))])),
        ]
        for member in try setting.servedPayload().members
        where !["version", "settings"].contains(member.name) {
            payload.append((member.name, .element(member.value)))
        }
        let protected = ProtectedHeader(alg: "ES256", kid: old, typ: "grona-config+jws").encoded
        let text = Base64URL.encode(JSONValue.object(payload).canonical())
        let digest = SigningInput.digest(protected: protected, payload: text)
        return FlattenedJWS(
            protected: protected, payload: text,
            signature: Base64URL.encode(try key.sign(digest))
        ).serialized()
    }

    private func isStolen() throws -> Bool {
        try setting.servedPayload()["settings"]?["stolen"]?.boolean ?? false
    }

    @Test func `A copy by the key that the ledger never saw is an alarm, and is never renewed`()
        throws
    {
        let forged = try stolen(7)
        try compromise()
        try Data(forged).write(to: URL(filePath: setting.served))
        let status = try setting.run(["status", "acme-market"])
        #expect(status.output.contains("served.unusable"), "\(status.output)")
        let health = try setting.run(["health", "acme-market"])
        #expect(health.errors.contains("the ledger never saw it"), "\(health.errors)")
        let answer = try refresh()
        #expect(answer.exit == .exited(76), "\(answer.errors)")
        #expect(answer.errors.contains("served.unusable"), "\(answer.errors)")
        #expect(try !isStolen())
        #expect(try servedKid() == new)
        #expect(try setting.servedPayload()["version"]?.integer == 8)
    }

    @Test func `What a thief had served while the key was trusted is left behind by a rollback`()
        throws
    {
        try Data(try stolen(4)).write(to: URL(filePath: setting.served))
        // Seen, while nobody knew.
        #expect(try setting.run(["kill", "acme-market", "no-such"]).exit != .exited(0))
        try compromise()
        let answer = try refresh()
        #expect(answer.exit == .exited(1), "\(answer.errors)")
        #expect(answer.errors.contains("transition.compromised-key"), "\(answer.errors)")
        let way = "grona-publish rollback acme-market --to-version 3"
        #expect(answer.errors.contains("'\(way)'"), "\(answer.errors)")
        let kill = try setting.run(["kill", "acme-market", offer])
        expectRefusal(kill, 65, "transition.compromised-key")
        #expect(kill.errors.contains("'\(way)'"), "\(kill.errors)")
        let back = try setting.run(["rollback", "acme-market", "--to-version", "3"])
        #expect(back.isSuccess, "\(back.errors)")
        #expect(try !isStolen())
        #expect(try servedKid() == new)
        #expect(try setting.servedPayload()["version"]?.integer == 5)
        #expect(try setting.run(["kill", "acme-market", offer]).isSuccess)
        #expect(try refresh().isSuccess)
    }
}
