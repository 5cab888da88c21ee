import DeviceModel
import GronaFormats
import GronaVerification
import JOSE
import TestSupport
import Testing

/// One change to a good grant and what becomes of it.
struct GrantCase: Sendable, CustomTestStringConvertible {
    let name: String
    let json: String?
    /// Nil where it is accepted.
    let check: String?
    let code: RuleCode?

    var testDescription: String { "\(name) \(json ?? "missing")" }

    init(_ name: String, _ json: String?, _ check: String? = nil, _ code: RuleCode? = nil) {
        (self.name, self.json, self.check, self.code) = (name, json, check, code)
    }
}

@Suite("Grants as an order backend checks them")
struct GrantCheckTests {
    private let key: TestKey
    private let checker: TokenChecker

    init() throws {
        key = try TestKey("g1")
        let retired = try TestKey("g0")
        let config = try TestKey("k1")
        checker = TokenChecker(
            trust: try TrustedKeys(keyrings: [
                keyring([
                    (key, .grant, .current), (retired, .grant, .retired),
                    (config, .config, .current),
                ])
            ]))
    }

    private func check(
        _ token: [UInt8], _ query: GrantQuery = GrantQuery(subject: "cus_7Hq2Lm9x"),
        at time: UnixTime = now, use: NonceUse = .first
    ) -> TokenReport<GrantClaims> {
        checker.checkGrant(token, query, at: time) { _, _ in use }
    }

    private func token(_ draft: Draft = .grant) throws -> [UInt8] {
        try key.token(draft.bytes).serialized()
    }

    private func failure(_ report: TokenReport<GrantClaims>) -> String? {
        report.checks.first { $0.result.violation != nil }?.name
    }

    @Test("the example is accepted; all checks are told, in their order")
    func accepted() throws {
        let query = GrantQuery(
            workspace: acme, subject: "cus_7Hq2Lm9x", campaign: "weekend-offer", variant: "B",
            treatmentType: "percent_off", treatmentValue: 10_000)
        let report = check(try token(), query)
        #expect(report.accepted)
        #expect(report.claims?.treatment.value == 10_000)
        #expect(
            report.checks.map(\.name) == [
                "size", "token", "header", "kid", "signature", "claims", "workspace", "subject",
                "preview", "issued-at", "lifetime", "expired", "campaign", "variant", "type",
                "value", "single-use",
            ])
        let passed = report.checks.filter { $0.result == .passed }
        #expect(passed.count == report.checks.count)
    }

    @Test("what is not asked is skipped")
    func notAsked() throws {
        let report = check(try token(), GrantQuery(), use: .notAsked)
        #expect(report.accepted)
        #expect(
            report.checks.filter { $0.result == .skipped }.map(\.name) == [
                "subject", "campaign", "variant", "type", "value", "single-use",
            ])
    }

    private static let start = now.seconds

    static let claimCases: [GrantCase] = [
        GrantCase("wks", #""acme-staging""#, "workspace", .grantWorkspace),
        GrantCase("sub", #""cus_other""#, "subject", .grantSubject),
        GrantCase("sub", #""cus_7Hq2Lm9x ""#, "subject", .grantSubject),
        GrantCase("sub", "1", "claims", .grantClaim),
        GrantCase("sub", nil, "claims", .grantClaim),
        GrantCase("prv", "true", "preview", .grantPreview),
        GrantCase("prv", nil, "claims", .grantClaim),
        GrantCase("prv", "null", "claims", .grantClaim),
        GrantCase("val", "0"),
        GrantCase("val", "-1", "claims", .grantClaim),
        GrantCase("val", "10000.0", "claims", .grantClaim),
        GrantCase("jti", #""a b""#, "claims", .grantClaim),
        GrantCase("cmp", #""""#, "claims", .grantClaim),
        GrantCase("iat", "1793264700"),
        GrantCase("iat", "1793264701", "issued-at", .grantIssuedAt),
        GrantCase("iat", "1577836799", "issued-at", .grantIssuedAt),
        GrantCase("iat", "4102444801", "issued-at", .grantIssuedAt),
        GrantCase("iat", "-9007199254740991", "issued-at", .grantIssuedAt),
        GrantCase("exp", "1793350800"),
        GrantCase("exp", "1793350801", "lifetime", .grantLifetime),
        GrantCase("exp", "1793264401"),
        GrantCase("exp", "1793264400", "lifetime", .grantLifetime),
        GrantCase("exp", "1793264399", "lifetime", .grantLifetime),
        GrantCase("exp", "4102444801", "lifetime", .grantLifetime),
        GrantCase("exp", "9007199254740991", "lifetime", .grantLifetime),
        GrantCase("exp", "1577836799", "lifetime", .grantLifetime),
        GrantCase("future", #"{"x":[1]}"#),
    ]

    @Test("each claim, on both sides of its boundary", arguments: claimCases)
    func claims(_ row: GrantCase) throws {
        let report = check(try token(Draft.grant.with(row.name, row.json)))
        #expect(failure(report) == row.check)
        #expect(report.code == row.code)
        #expect(report.accepted == (row.code == nil))
    }

    @Test(
        "it expires in the second that exp names",
        arguments: [(3_599, nil), (3_600, RuleCode.grantExpired), (3_601, .grantExpired)]
            as [(Int64, RuleCode?)])
    func expires(after seconds: Int64, code: RuleCode?) throws {
        #expect(check(try token(), at: UnixTime(now.seconds + seconds)).code == code)
    }

    @Test(
        "the first second of 2020 and of 2100 are within the bounds",
        arguments: [(1_577_836_800, 1_577_836_801), (4_102_444_799, 4_102_444_800)])
    func bounds(iat: Int64, exp: Int64) throws {
        let draft = Draft.grant.with("iat", "\(iat)").with("exp", "\(exp)")
        #expect(check(try token(draft), at: UnixTime(iat)).accepted)
    }

    @Test("several failures are all told, and the first is the verdict")
    func allFailures() throws {
        let draft = Draft.grant.with("wks", #""x""#).with("prv", "true").with("exp", "1793264400")
        let report = check(try token(draft))
        #expect(
            report.checks.compactMap(\.result.violation?.code) == [
                .grantWorkspace, .grantPreview, .grantLifetime, .grantExpired,
            ])
        #expect(report.checks.last?.result == .skipped)
    }

    @Test(
        "what is asked must be so",
        arguments: [
            (GrantQuery(workspace: "acme-staging"), RuleCode.headerUnknownKid),
            (GrantQuery(subject: "cus_other"), .grantSubject),
            (GrantQuery(subject: ""), .grantSubject),
            (GrantQuery(campaign: "other"), .grantCampaign),
            (GrantQuery(variant: "A"), .grantVariant),
            (GrantQuery(treatmentType: "amount_off"), .grantType),
            (GrantQuery(treatmentValue: 9_999), .grantValue),
            (GrantQuery(treatmentValue: 10_001), .grantValue),
        ])
    func expectations(query: GrantQuery, code: RuleCode) throws {
        #expect(check(try token(), query).code == code)
    }

    @Test("a customer is compared byte by byte, not by what looks the same")
    func canonicalEquivalence() throws {
        let draft = Draft.grant.with("sub", #""caf\u00e9""#)
        #expect(check(try token(draft), GrantQuery(subject: "caf\u{E9}")).accepted)
        #expect(check(try token(draft), GrantQuery(subject: "cafe\u{301}")).code == .grantSubject)
    }

    @Test("a token of 4,096 bytes is taken, with a warning, and one of 4,097 is not")
    func size() throws {
        /// Base64url makes 4 characters of 3 bytes: blanks in the header fill what is left over.
        func token(ofSize count: Int) throws -> [UInt8] {
            let base = Draft.grant.with("x", #""""#).bytes.count
            for blanks in 0..<4 {
                let header =
                    "{\(String(repeating: " ", count: blanks))"
                    + #""alg":"ES256","kid":"g1","typ":"grona-grant+jwt"}"#
                let protected = Base64URL.encode(Array(header.utf8))
                let left = count - protected.count - 88
                let filler = left * 3 / 4 - base
                guard ((base + filler) * 4 + 2) / 3 == left else { continue }
                let claims = Draft.grant.with("x", "\"\(String(repeating: "x", count: filler))\"")
                let payload = Base64URL.encode(claims.bytes)
                return CompactJWS(
                    protected: protected, payload: payload,
                    signature: try key.signature(protected, payload)
                ).serialized()
            }
            return []
        }
        for (count, code, warns) in [
            (4_000, nil, false), (4_001, nil, true), (4_096, nil, true),
            (4_097, RuleCode.grantTooLarge, false),
        ] as [(Int, RuleCode?, Bool)] {
            let token = try token(ofSize: count)
            #expect(token.count == count)
            let report = check(token)
            #expect(report.code == code)
            #expect(report.warnings.map(\.code) == (warns ? [.grantTooLarge] : []))
        }
    }

    @Test(
        "what is no compact JWS is refused",
        arguments: [
            "", ".", "..", "...", "a.b", "a.b.c.d", "a=.b.c", "a.b .c", "a.b.c\n", "{}", "Y.Y.Y",
        ])
    func malformed(text: String) {
        let report = check(Array(text.utf8))
        #expect(!report.accepted)
        #expect(report.code == (text == ".." ? .headerMalformed : .grantMalformed))
        #expect(report.claims == nil)
    }

    @Test(
        "a header must have its three members, and name a trusted grant key",
        arguments: [
            (#"{"alg":"ES256","kid":"g1","typ":"grona-grant+jwt","x":1}"#, RuleCode.headerMembers),
            (#"{"alg":"ES256","kid":"g1"}"#, .headerMembers),
            ("[]", .headerMalformed), ("{", .headerMalformed),
            (#"{"alg":"none","kid":"g1","typ":"grona-grant+jwt"}"#, .headerAlgorithm),
            (#"{"alg":"HS256","kid":"g1","typ":"grona-grant+jwt"}"#, .headerAlgorithm),
            (#"{"alg":"ES256","kid":"g1","typ":"grona-config+jws"}"#, .headerType),
            (#"{"alg":"ES256","kid":"g1","typ":"grona-preview+jwt"}"#, .headerType),
            (#"{"alg":"ES256","kid":"g1","typ":"JWT"}"#, .headerType),
            (#"{"alg":"ES256","kid":"g0","typ":"grona-grant+jwt"}"#, .headerUnknownKid),
            (#"{"alg":"ES256","kid":"k1","typ":"grona-grant+jwt"}"#, .headerUnknownKid),
            (#"{"alg":"ES256","kid":1,"typ":"grona-grant+jwt"}"#, .headerUnknownKid),
        ])
    func header(text: String, code: RuleCode) throws {
        let protected = Base64URL.encode(Array(text.utf8))
        let payload = Base64URL.encode(Draft.grant.bytes)
        let token = CompactJWS(
            protected: protected, payload: payload,
            signature: try key.signature(protected, payload))
        let report = check(token.serialized())
        #expect(report.code == code)
        if text.contains("g0") {
            #expect(report.violation?.detail == .kid("g0", state: .retired))
        }
    }

    @Test("a signature of another length, by another key or over other claims is refused")
    func signature() throws {
        let good = try key.token(Draft.grant.bytes)
        func with(_ signature: [UInt8], _ payload: [UInt8]? = nil) -> RuleCode? {
            check(
                CompactJWS(
                    protected: good.protected, payload: payload ?? good.payload,
                    signature: signature
                ).serialized()
            ).code
        }
        #expect(with(good.signature) == nil)
        #expect(with(Base64URL.encode([UInt8](repeating: 1, count: 63))) == .signatureMalformed)
        #expect(with(Base64URL.encode([UInt8](repeating: 1, count: 65))) == .signatureMalformed)
        #expect(with([]) == .signatureMalformed)
        #expect(with(Base64URL.encode([UInt8](repeating: 0, count: 64))) == .signatureInvalid)
        let other = Draft.grant.with("val", "99999").bytes
        #expect(with(good.signature, Base64URL.encode(other)) == .signatureInvalid)
        let stranger = try TestKey("g1")
        #expect(with(try stranger.token(Draft.grant.bytes).signature) == .signatureInvalid)
    }

    @Test("claims that are no JSON object are refused only once their signature holds")
    func noClaims() throws {
        for text in ["[]", "1", "{", "", "{\"sub\":\"a\",\"sub\":\"b\"}"] {
            let report = check(try key.token(Array(text.utf8)).serialized())
            #expect(report.code == .grantMalformed)
            #expect(failure(report) == "claims")
        }
    }

    @Test("a nonce is asked for only when everything else holds")
    func nonce() throws {
        var asked: [String] = []
        func run(_ draft: Draft, _ use: NonceUse = .first) throws -> RuleCode? {
            checker.checkGrant(
                try token(draft), GrantQuery(subject: "cus_7Hq2Lm9x"), at: now
            ) { nonce, expiresAt in
                asked.append("\(nonce) \(expiresAt.seconds)")
                return use
            }.code
        }
        #expect(try run(Draft.grant.with("sub", #""x""#)) == .grantSubject)
        #expect(try run(Draft.grant.with("exp", "1793264400")) == .grantLifetime)
        #expect(asked.isEmpty)
        #expect(try run(.grant) == nil)
        #expect(try run(.grant, .again) == .grantUsed)
        #expect(
            asked == [String](repeating: "9f1c2e7a4b6d8e0f1a3c5b7d 1793268000", count: 2))
    }

    @Test("a malleated signature is a valid token of the same nonce")
    func malleability() throws {
        let token = try key.token(Draft.grant.bytes)
        let raw = try #require(Base64URL.decode(token.signature))
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2,
            0xFC, 0x63, 0x25, 0x51,
        ]
        // n − S, from the last byte on.
        var borrow = 0
        var flipped = [UInt8](repeating: 0, count: 32)
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(raw[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            flipped[index] = UInt8((difference + 256) % 256)
        }
        let twin = CompactJWS(
            protected: token.protected, payload: token.payload,
            signature: Base64URL.encode(Array(raw[..<32]) + flipped))
        #expect(twin.serialized() != token.serialized())
        var nonces: Set<String> = []
        for text in [token.serialized(), twin.serialized()] {
            let report = checker.checkGrant(text, GrantQuery(), at: now) { nonce, _ in
                nonces.insert(nonce.text).inserted ? .first : .again
            }
            #expect(report.code == (text == token.serialized() ? nil : .grantUsed))
        }
    }
}
