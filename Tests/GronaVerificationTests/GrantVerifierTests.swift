import ES256
import GronaFormats
import GronaVerification
import JOSE
import TestSupport
import Testing

@Suite("The library for order backends")
struct GrantVerifierTests {
    private let key: TestKey
    private let verifier: GrantVerifier

    init() throws {
        key = try TestKey("g1")
        verifier = try GrantVerifier(
            workspace: acme,
            keys: [GrantKey(kid: "g1", publicKey: key.publicKey.base64SPKI)])
    }

    private func token(_ draft: Draft = .grant) throws -> String {
        String(decoding: try key.token(draft.bytes).serialized(), as: UTF8.self)
    }

    @Test("a grant is given with its claims, once")
    func once() throws {
        var used: Set<String> = []
        func run() throws -> GrantVerdict {
            verifier.verify(
                try token(), for: Order(customer: "cus_7Hq2Lm9x"), at: now.seconds
            ) { nonce in used.insert(nonce.text).inserted }
        }
        let first = try run()
        #expect(first.code == nil)
        #expect(first.grant?.campaign == "weekend-offer")
        #expect(first.grant?.variant == "B")
        #expect(first.grant?.treatmentType == "percent_off")
        #expect(first.grant?.treatmentValueInThousandths == 10_000)
        #expect(first.grant?.expiresAt == now.seconds + 3_600)
        let second = try run()
        #expect(second.code == "grant.used")
        #expect(second.grant == nil)
    }

    @Test("the order's customer and whatever else the backend expects must be the grant's")
    func order() throws {
        let orders = [
            (Order(customer: "cus_other"), "grant.subject"),
            (Order(customer: "cus_7Hq2Lm9x", campaign: "other"), "grant.campaign"),
            (Order(customer: "cus_7Hq2Lm9x", variant: "A"), "grant.variant"),
            (Order(customer: "cus_7Hq2Lm9x", treatmentType: "x"), "grant.type"),
            (Order(customer: "cus_7Hq2Lm9x", treatmentValueInThousandths: 1), "grant.value"),
        ]
        for (order, code) in orders {
            let verdict = verifier.verify(try token(), for: order, at: now.seconds) { _ in true }
            #expect(verdict.code == code)
            #expect(verdict.grant == nil)
        }
    }

    @Test("what the nonce store throws is passed on, and there is no grant")
    func storeFails() throws {
        struct Down: Error {}
        #expect(throws: Down.self) {
            try verifier.verify(
                try token(), for: Order(customer: "cus_7Hq2Lm9x"), at: now.seconds
            ) { _ in throw Down() }
        }
    }

    @Test("any time of the clock is taken without a trap", arguments: [Int64.min, 0, .max])
    func times(time: Int64) throws {
        let verdict = verifier.verify(
            try token(), for: Order(customer: "cus_7Hq2Lm9x"), at: time
        ) { _ in true }
        #expect(verdict.grant == nil)
    }

    @Test("keys that are none, or that are not one to one, are refused")
    func keys() throws {
        let text = key.publicKey.base64SPKI
        #expect(throws: GrantKeyError.kid) { try GrantKey(kid: "..", publicKey: text) }
        #expect(throws: GrantKeyError.publicKey) { try GrantKey(kid: "g1", publicKey: "AA==") }
        let first = try GrantKey(kid: "g1", publicKey: text)
        let same = try GrantKey(kid: "g2", publicKey: text)
        #expect(throws: GrantKeyError.kidTwice("g1")) {
            try GrantVerifier(workspace: acme, keys: [first, first])
        }
        #expect(throws: GrantKeyError.keyTwice("g1", "g2")) {
            try GrantVerifier(workspace: acme, keys: [first, same])
        }
        #expect(throws: GrantKeyError.workspace) {
            try GrantVerifier(workspace: "Acme", keys: [first])
        }
    }

    @Test("a pins file gives the workspace and its grant keys, not its config keys")
    func pins() throws {
        let config = try TestKey("k1")
        let pins = PinsFile(
            id: nil, workspace: try name(acme), config: [try config.pin()],
            grant: [try key.pin()])
        let verifier = try GrantVerifier(pinsFile: pins.serialized())
        let order = Order(customer: "cus_7Hq2Lm9x")
        #expect(
            verifier.verify(try token(), for: order, at: now.seconds) { _ in true }.grant != nil)
        let other = String(
            decoding: try config.token(Draft.grant.bytes).serialized(), as: UTF8.self)
        #expect(
            verifier.verify(other, for: order, at: now.seconds) { _ in true }.code
                == "header.unknown-kid")
        #expect(throws: GrantKeyError.pins) { try GrantVerifier(pinsFile: Array("{}".utf8)) }
    }
}
