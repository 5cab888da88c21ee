import DeviceModel
import GronaFormats
import GronaVerification
import JOSE
import TestSupport
import Testing

@Suite("Preview pins")
struct PreviewCheckTests {
    private let key: TestKey
    private let grantKey: TestKey
    private let checker: TokenChecker

    init() throws {
        key = try TestKey("k1")
        grantKey = try TestKey("g1")
        checker = TokenChecker(
            trust: try TrustedKeys(keyrings: [
                keyring([(key, .config, .current), (grantKey, .grant, .current)])
            ]))
    }

    private func check(
        _ draft: Draft, by key: TestKey? = nil, typ: String = "grona-preview+jwt",
        workspace: String? = acme, at time: UnixTime = now
    ) throws -> TokenReport<PreviewClaims> {
        let token = try (key ?? self.key).token(draft.bytes, typ: typ)
        return checker.checkPreview(token.serialized(), workspace: workspace, at: time)
    }

    static let cases: [GrantCase] = [
        GrantCase("wks", #""acme-staging""#, "workspace", .previewWorkspace),
        GrantCase("prv", "false", "claims", .previewClaim),
        GrantCase("sub", #""cus_1""#, "claims", .previewClaim),
        GrantCase("trt", #""percent_off""#, "claims", .previewClaim),
        GrantCase("val", "0", "claims", .previewClaim),
        GrantCase("var", nil, "claims", .previewClaim),
        GrantCase("iat", "1793264700"),
        GrantCase("iat", "1793264701", "issued-at", .previewIssuedAt),
        GrantCase("iat", "1577836799", "issued-at", .previewIssuedAt),
        GrantCase("exp", "1793869200"),
        GrantCase("exp", "1793869201", "lifetime", .previewLifetime),
        GrantCase("exp", "1793264400", "lifetime", .previewLifetime),
        GrantCase("exp", "4102444801", "lifetime", .previewLifetime),
        GrantCase("future", "null"),
    ]

    @Test("each claim, on both sides of its boundary", arguments: cases)
    func claims(_ row: GrantCase) throws {
        let report = try check(Draft.preview.with(row.name, row.json))
        #expect(report.code == row.code)
        #expect(report.checks.first { $0.result.violation != nil }?.name == row.check)
    }

    @Test("it is signed by a config key, under its own typ")
    func keyAndType() throws {
        #expect(try check(.preview).accepted)
        #expect(try check(.preview, workspace: nil).accepted)
        #expect(try check(.preview, by: grantKey).code == .headerUnknownKid)
        #expect(try check(.preview, typ: "grona-grant+jwt").code == .headerType)
        #expect(try check(.preview, workspace: "acme-staging").code == .headerUnknownKid)
    }

    @Test("it expires in the second that exp names")
    func expires() throws {
        #expect(try check(.preview, at: UnixTime(now.seconds + 3_599)).accepted)
        #expect(
            try check(.preview, at: UnixTime(now.seconds + 3_600)).code == .previewExpired)
    }

    @Test("one can never pass for a grant, nor a grant for one")
    func neverBoth() throws {
        let pin = try key.token(Draft.preview.bytes, typ: "grona-preview+jwt").serialized()
        let asGrant = checker.checkGrant(pin, GrantQuery(), at: now) { _, _ in .first }
        #expect(asGrant.code == .headerType)
        let grant = try grantKey.token(Draft.grant.bytes).serialized()
        #expect(checker.checkPreview(grant, workspace: nil, at: now).code == .headerType)
        // Even under a grant's typ and by a grant key its claims are not those of a grant.
        let disguised = try grantKey.token(Draft.preview.bytes).serialized()
        let report = checker.checkGrant(disguised, GrantQuery(), at: now) { _, _ in .first }
        #expect(report.code == .grantClaim)
    }
}
