import GronaFormats
import StrictJSON
import Testing

@Suite("Claims of grants and preview pins")
struct ClaimsTests {
    private static let grant: [(String, String)] = [
        ("sub", #""cus_7Hq2Lm9x""#), ("wks", #""acme-market""#), ("cmp", #""weekend-offer""#),
        ("var", #""B""#), ("trt", #""percent_off""#), ("val", "10000"), ("iat", "1793264400"),
        ("exp", "1793268000"), ("jti", #""9f1c2e7a4b6d8e0f1a3c5b7d""#), ("prv", "false"),
    ]
    private static let preview: [(String, String)] = [
        ("wks", #""acme-market""#), ("cmp", #""weekend-offer""#), ("var", #""B""#),
        ("iat", "1793264400"), ("exp", "1793268000"), ("jti", #""a1""#), ("prv", "true"),
    ]

    private func root(
        _ claims: [(String, String)], without name: String? = nil, with value: String? = nil
    ) throws -> JSONElement {
        let members = claims.compactMap { member -> String? in
            let value = member.0 == name ? value : member.1
            return value.map { "\"\(member.0)\":\($0)" }
        }
        return try JSONDocument.parse(Array("{\(members.joined(separator: ","))}".utf8)).root
    }

    @Test("the example of the product's documents is read, and written in canonical form")
    func grantExample() throws {
        let claims = try GrantClaims(reading: root(Self.grant))
        #expect(claims.treatment.value == 10_000)
        #expect(claims.expiresAt.since(claims.issuedAt) == .hours(1))
        let text =
            #"{"cmp":"weekend-offer","exp":1793268000,"iat":1793264400,"#
            + #""jti":"9f1c2e7a4b6d8e0f1a3c5b7d","prv":false,"sub":"cus_7Hq2Lm9x","#
            + #""trt":"percent_off","val":10000,"var":"B","wks":"acme-market"}"#
        #expect(String(decoding: claims.canonical(), as: UTF8.self) == text)
        let again = try GrantClaims(
            reading: JSONDocument.parse(claims.canonical()).root)
        #expect(again == claims)
    }

    @Test("a missing claim is named", arguments: grant.map(\.0))
    func missing(name: String) throws {
        let root = try root(Self.grant, without: name)
        let error = try #require(throws: RuleViolation.self) { try GrantClaims(reading: root) }
        #expect(error.code == .grantClaim)
        guard case .member(let pointer, _, let isMissing) = error.detail else {
            Issue.record("\(error)")
            return
        }
        #expect(pointer == "/" + name)
        #expect(isMissing)
    }

    @Test(
        "a claim of another type or form is refused",
        arguments: [
            ("sub", "1"), ("sub", "null"), ("wks", "[]"), ("cmp", #""a b""#), ("cmp", #""""#),
            ("var", #""a/b""#), ("trt", "true"), ("val", "-1"), ("val", "1.0"), ("val", "1e4"),
            ("val", #""10000""#), ("iat", "1793264400.5"), ("iat", #""1793264400""#),
            ("exp", "null"), ("jti", #""ä""#), ("prv", "0"), ("prv", #""false""#),
        ])
    func wrong(name: String, value: String) throws {
        let root = try root(Self.grant, without: name, with: value)
        let error = try #require(throws: RuleViolation.self) { try GrantClaims(reading: root) }
        #expect(error.code == .grantClaim)
    }

    @Test(
        "what lies on the border of its form is taken",
        arguments: [
            ("sub", #""""#), ("sub", #""any string ☃""#), ("wks", #""Any Thing""#), ("val", "0"),
            ("val", "9007199254740991"), ("cmp", #""a""#), ("iat", "-5"), ("prv", "true"),
        ])
    func border(name: String, value: String) throws {
        _ = try GrantClaims(reading: root(Self.grant, without: name, with: value))
    }

    @Test("unknown claims are ignored")
    func unknown() throws {
        let claims = try GrantClaims(reading: root(Self.grant + [("iss", #""grona""#)]))
        #expect(claims == (try GrantClaims(reading: root(Self.grant))))
    }

    @Test("a preview pin is read, and written in canonical form")
    func previewPin() throws {
        let claims = try PreviewClaims(reading: root(Self.preview + [("x", "1")]))
        let text =
            #"{"cmp":"weekend-offer","exp":1793268000,"iat":1793264400,"jti":"a1","prv":true,"#
            + #""var":"B","wks":"acme-market"}"#
        #expect(String(decoding: claims.canonical(), as: UTF8.self) == text)
    }

    @Test(
        "a preview pin with a grant's claims, or without its own, is refused",
        arguments: [
            ("sub", #""cus_1""#), ("trt", #""percent_off""#), ("val", "0"), ("prv", "false"),
            ("prv", "1"), ("wks", "1"), ("jti", #""""#),
        ])
    func noPreviewPin(name: String, value: String) throws {
        let claims = Self.preview.filter { $0.0 != name } + [(name, value)]
        let root = try root(claims)
        let error = try #require(throws: RuleViolation.self) { try PreviewClaims(reading: root) }
        #expect(error.code == .previewClaim)
    }

    @Test("a preview pin needs each of its claims", arguments: preview.map(\.0))
    func previewMissing(name: String) throws {
        let root = try root(Self.preview, without: name)
        #expect(throws: RuleViolation.self) { try PreviewClaims(reading: root) }
    }
}
