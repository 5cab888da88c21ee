import GronaFormats
import JOSE
import Ledger
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@testable import Signing

@Suite("Grants and preview pins")
struct GrantTests {
    private static let nonce = "9f1c2e7a4b6d8e0f1a3c5b7d"

    /// The standard offer with parts of it replaced.
    private func claims(
        _ bench: Bench, _ replacing: [(String, String)] = [], subject: String = "cus_7Hq2Lm9x",
        campaign: String = "weekend-offer", variant: String = "B", lifetime: Int64? = nil
    ) throws -> Result<GrantClaims, GrantRefusal> {
        var offer = Bench.offer
        for (from, to) in replacing { offer = offer.replacing(from, with: to) }
        let source = GrantSource(
            try bench.source(try bench.foreign(1, campaigns: "[\(offer),\(Bench.banner)]")),
            workspace: Bench.name)
        let nonce = try #require(Identifier(Self.nonce))
        return Result { () throws(GrantRefusal) in
            try source.claims(
                GrantRequest(
                    subject: subject, campaign: campaign, variant: variant,
                    lifetime: lifetime.map { DurationSeconds($0) }),
                policy: bench.policy, nonce: nonce, now: bench.now)
        }
    }

    private func refused(_ result: Result<GrantClaims, GrantRefusal>) -> GrantRefusal? {
        switch result {
        case .success: nil
        case .failure(let refusal): refusal
        }
    }

    @Test("everything but the customer comes from the config")
    func document() throws {
        let bench = try Bench()
        let claims = try claims(bench).get()
        #expect(
            String(decoding: claims.canonical(), as: UTF8.self) == """
                {"cmp":"weekend-offer","exp":1793268000,"iat":1793264400,\
                "jti":"9f1c2e7a4b6d8e0f1a3c5b7d","prv":false,"sub":"cus_7Hq2Lm9x",\
                "trt":"percent_off","val":10000,"var":"B","wks":"acme-market"}
                """)
    }

    @Test("campaigns that do not run give no grant")
    func campaigns() throws {
        let bench = try Bench()
        let now = bench.now.seconds
        #expect(
            refused(try claims(bench, campaign: "nope")) == .unknownCampaign("nope"))
        #expect(refused(try claims(bench, campaign: "news")) == .noTreatment("news"))
        #expect(
            refused(try claims(bench, [(#""enabled":true"#, #""enabled":false"#)]))
                == .disabledCampaign("weekend-offer"))
        #expect(
            refused(try claims(bench, [(#""unit":"customer""#, #""unit":"device""#)]))
                == .notForCustomers("weekend-offer"))
        #expect(
            refused(try claims(bench, [(#""unit":"customer","#, "")]))
                == .unreadableCampaign("weekend-offer"))
        let start = [(#""enabled":true"#, #""enabled":true,"starts_at":\#(now + 1)"#)]
        #expect(
            refused(try claims(bench, start)) == .notStarted("weekend-offer", UnixTime(now + 1)))
        let begun = [(#""enabled":true"#, #""enabled":true,"starts_at":\#(now)"#)]
        #expect(refused(try claims(bench, begun)) == nil)
        let over = [(#""enabled":true"#, #""enabled":true,"ends_at":\#(now)"#)]
        #expect(refused(try claims(bench, over)) == .ended("weekend-offer", UnixTime(now)))
    }

    @Test("a grant ends with its campaign, if that is earlier")
    func end() throws {
        let bench = try Bench()
        let now = bench.now.seconds
        for (end, expected) in [(1, 1), (3_599, 3_599), (3_600, 3_600), (3_601, 3_600)]
            as [(Int64, Int64)]
        {
            let change = [(#""enabled":true"#, #""enabled":true,"ends_at":\#(now + end)"#)]
            #expect(try claims(bench, change).get().expiresAt.seconds == now + expected)
        }
    }

    @Test("unknown and control variants give no grant")
    func variants() throws {
        let bench = try Bench()
        #expect(
            refused(try claims(bench, variant: "A"))
                == .controlVariant(campaign: "weekend-offer", variant: "A"))
        #expect(
            refused(try claims(bench, variant: "C"))
                == .unknownVariant(campaign: "weekend-offer", variant: "C"))
    }

    @Test(
        "a customer id has 1 to 256 bytes",
        arguments: [(0, false), (1, true), (256, true), (257, false)])
    func subject(length: Int, isTaken: Bool) throws {
        let bench = try Bench()
        let subject = String(repeating: "c", count: length)
        #expect(
            refused(try claims(bench, subject: subject))
                == (isTaken ? nil : .subjectLength(length)))
    }

    @Test("bytes are counted, not characters")
    func subjectBytes() throws {
        let bench = try Bench()
        let subject = String(repeating: "é", count: 129)
        #expect(refused(try claims(bench, subject: subject)) == .subjectLength(258))
    }

    @Test(
        "a lifetime is positive and at most the policy's",
        arguments: [
            (-1, .lifetimeNotPositive(DurationSeconds(-1))),
            (0, .lifetimeNotPositive(DurationSeconds(0))), (1, nil), (86_400, nil),
            (86_401, .lifetimeTooLong(DurationSeconds(86_401), cap: .hours(24))),
        ] as [(Int64, GrantRefusal?)])
    func lifetime(seconds: Int64, refusal: GrantRefusal?) throws {
        var bench = try Bench()
        bench.policy.lifetimes.grant = .hours(24)
        #expect(refused(try claims(bench, lifetime: seconds)) == refusal)
        bench.policy.lifetimes.grant = .hours(48)
        #expect(refused(try claims(bench, lifetime: seconds)) == refusal)
    }

    @Test("a source gives grants up to its last second")
    func sourceExpiry() throws {
        var bench = try Bench()
        let source = GrantSource(
            try bench.source(try bench.foreign(1)), workspace: Bench.name)
        let end = UnixTime(bench.now.seconds + 86_400)
        let nonce = try #require(Identifier(Self.nonce))
        for (time, expected) in [
            (end.seconds - 1, nil), (end.seconds, GrantRefusal.sourceExpired(end, now: end)),
        ] {
            bench.now = UnixTime(time)
            let now = bench.now
            let result = Result { () throws(GrantRefusal) in
                try source.claims(
                    GrantRequest(subject: "c", campaign: "weekend-offer", variant: "B"),
                    policy: bench.policy, nonce: nonce, now: now)
            }
            #expect(refused(result) == expected)
        }
    }

    @Test("the grant is in the issuance log, and the run in the audit log, before the token is out")
    func issuance() throws {
        let bench = try Bench()
        let folder = try bench.folder.folder("state/issuance", permissions: 0o700)
        let claims = try claims(bench).get()
        var desk = try bench.desk()
        let token = try desk.grant(
            claims, with: try bench.key("grant"), loggingIn: folder, process: 7, now: bench.now)
        let jws = try CompactJWS(parsing: token)
        #expect(Base64URL.decode(jws.payload) == claims.canonical())
        let header = try #require(Base64URL.decode(jws.protected))
        #expect(
            String(decoding: header, as: UTF8.self)
                == #"{"alg":"ES256","kid":"acme-market-grants","typ":"grona-grant+jwt"}"#)
        let path = folder.appending("\(bench.now.seconds)-7.ndjson")
        let line = try JSONDocument.parse(readFile(path, limit: 1 << 16)).root
        #expect(line["jti"]?.string == Self.nonce)
        #expect(line["sub"]?.string == "cus_7Hq2Lm9x")
        #expect(line["kid"]?.string == "acme-market-grants")
        #expect(line["prv"] == nil)
        #expect(try FileSystem.status(of: path).permissions == 0o600)
        var reader = try bench.log.reader()
        var acts: [String] = []
        while let line = try reader.next() { acts.append(line.root["act"]?.string ?? "") }
        #expect(acts == ["keyring", "grants-begin", "grants-end"])
    }

    @Test("two runs in one second have two issuance logs")
    func twice() throws {
        let bench = try Bench()
        let folder = try bench.folder.folder("state/issuance", permissions: 0o700)
        var desk = try bench.desk()
        for _ in 0..<2 {
            _ = try desk.grant(
                try claims(bench).get(), with: try bench.key("grant"), loggingIn: folder,
                process: 7, now: bench.now)
        }
        #expect(try FileSystem.names(in: folder).count == 2)
    }

    @Test("without an issuance log there is no token, and no run in the audit log")
    func noIssuanceLog() throws {
        let bench = try Bench()
        let folder = bench.folder.file("missing")
        var desk = try bench.desk()
        let refused = try refusal {
            try desk.grant(
                try claims(bench).get(), with: try bench.key("grant"), loggingIn: folder,
                process: 7, now: bench.now)
        }
        guard case .memory(.issuanceLog) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(try bench.log.tip().lines == 0)
    }

    @Test("a token over 4,000 bytes is refused before anything is recorded")
    func size() throws {
        let bench = try Bench()
        let folder = try bench.folder.folder("state/issuance", permissions: 0o700)
        let long = String(repeating: "i", count: 128)
        // Only control characters, which are written as six bytes each, make a token so long.
        func claims(_ count: Int) throws -> GrantClaims {
            let id = try #require(Identifier(long))
            return GrantClaims(
                subject: String(repeating: "\u{1}", count: count), workspace: "acme-market",
                campaign: id, variant: id, treatment: Treatment(type: id, value: 1),
                issuedAt: bench.now, expiresAt: UnixTime(bench.now.seconds + 60), nonce: id)
        }
        var desk = try bench.desk()
        func sign(_ count: Int) throws -> [UInt8] {
            try desk.grant(
                try claims(count), with: try bench.key("grant"), loggingIn: folder, process: 7,
                now: bench.now)
        }
        let fits =
            (0..<600).last { count in
                let text = (try? claims(count).canonical().count) ?? 0
                return 88 + 2 + (text * 4 + 2) / 3 + 86 <= 4_000
            } ?? 0
        #expect(try sign(fits).count <= 4_000)
        let lines = try bench.log.tip().lines
        guard case .grant(.tokenTooLarge(_, limit: 4_000)) = try refusal({ try sign(fits + 1) })
        else {
            Issue.record("a token over the limit was signed")
            return
        }
        #expect(try bench.log.tip().lines == lines)
    }

    @Test("a preview pin has no customer and no value, and stands in the audit log")
    func preview() throws {
        let bench = try Bench()
        let source = GrantSource(
            try bench.source(
                try bench.foreign(1, campaigns: "[\(Bench.off(Bench.offer)),\(Bench.banner)]")),
            workspace: Bench.name)
        let claims = try source.claims(
            PreviewRequest(campaign: "weekend-offer", variant: "A"), policy: bench.policy,
            nonce: try #require(Identifier(Self.nonce)), now: bench.now)
        var desk = try bench.desk()
        let token = try desk.preview(claims, with: try bench.key(), now: bench.now)
        let root = try JSONDocument.parse(
            try #require(Base64URL.decode(CompactJWS(parsing: token).payload))
        ).root
        #expect(root["prv"]?.boolean == true)
        for name in ["sub", "trt", "val"] { #expect(root[name] == nil) }
        #expect(try bench.desk().memory.history.highest == 0)
        #expect(try bench.log.tip().lines == 2)
    }

    @Test(
        "a preview pin lives for at most seven days",
        arguments: [
            (0, .lifetimeNotPositive(DurationSeconds(0))), (1, nil), (604_800, nil),
            (604_801, .lifetimeTooLong(DurationSeconds(604_801), cap: .days(7))),
        ] as [(Int64, PreviewRefusal?)])
    func previewLifetime(seconds: Int64, expected: PreviewRefusal?) throws {
        var bench = try Bench()
        bench.policy.lifetimes.preview = .days(8)
        let source = GrantSource(
            try bench.source(try bench.foreign(1)), workspace: Bench.name)
        let (policy, now) = (bench.policy, bench.now)
        let nonce = try #require(Identifier(Self.nonce))
        let result = Result { () throws(PreviewRefusal) in
            try source.claims(
                PreviewRequest(
                    campaign: "news", variant: "only", lifetime: DurationSeconds(seconds)),
                policy: policy, nonce: nonce, now: now)
        }
        switch result {
        case .success: #expect(expected == nil)
        case .failure(let refusal): #expect(refusal == expected)
        }
    }

    @Test("campaigns of a folder give grants as a config of it would")
    func folder() throws {
        let bench = try Bench()
        let source = try GrantSource(try bench.workspace(), now: bench.now)
        #expect(source.expiresAt == nil)
        #expect(source.campaign("weekend-offer")?.treatment?.value == 10_000)
    }
}
