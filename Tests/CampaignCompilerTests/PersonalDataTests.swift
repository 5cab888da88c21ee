import CampaignCompiler
import GronaFormats
import Testing

@Suite("Personal data in what anyone can fetch")
struct PersonalDataTests {
    static func rules(_ text: String) -> [String] {
        let quoted = text.replacing("\"", with: "\\\"")
        let offer = Source.offer.replacing("\"plain\"", with: "\"\(quoted)\"")
        return CampaignCompiler.check(Source.workspace(Source.files(["weekend-offer.json": offer])))
            .findings.map(\.rule.rawValue)
    }

    @Test(
        "An e-mail address is an error wherever it stands",
        arguments: [
            "jane@acme.example", "Write to jane.doe+x@mail.acme.example, please", "<a@b.co>",
            "mailto:jane%40acme.example", "\"jane doe\"@acme.example", "j@[192.0.2.1]",
            "jörg@größe.example", "a\\u0040b.example", "jane＠acme.example", "x@xn--4ca.xn--p1ai",
        ])
    func email(_ text: String) {
        #expect(Self.rules(text) == ["campaign.email"])
    }

    @Test(
        "What only holds the sign is no e-mail address",
        arguments: [
            "@acme", "meet @home.office", "5 @ 3.50", "icon@2x.png", "a@b", "a@b.", "a@b.1",
            "a@.example", "@", "a@", "50%40",
        ])
    func noEmail(_ text: String) {
        #expect(Self.rules(text).isEmpty)
    }

    @Test(
        "What looks like a phone number is a warning",
        arguments: [
            "+491701234567", "123456789", "123456789012345", "+49 170 123 45 67", "030-123.456.78",
            "(030) 12345678", "+49 (0)170 1234567", "Call 0170 1234567!", "tel:+491701234567.",
        ])
    func phone(_ text: String) {
        #expect(Self.rules(text) == ["campaign.phone"])
    }

    @Test(
        "Other digits are no phone number",
        arguments: [
            "12345678", "1234567890123456", "1234  56789", "2026-10-23", "2026-10-23T18:00:00Z",
            "2026-10-23 18:00", "sku-1234567890", "https://cdn.acme.example/1234567890.png",
            "550e8400-e29b-41d4-a716-446655440000", "a123456789", "123456789a", "1234--56789",
        ])
    func noPhone(_ text: String) {
        #expect(Self.rules(text).isEmpty)
    }

    @Test(
        "What looks like a customer's id is a warning",
        arguments: ["cus_7Hq2Lm9x", "for cus_1", "sub=cus_x", "a-cus_9"])
    func customer(_ text: String) {
        #expect(Self.rules(text) == ["campaign.customer-id"])
    }

    @Test(
        "Words that only resemble one are no customer's id",
        arguments: ["cus_", "focus_group", "cus-7Hq2", "CUS_7", "_cus_7", "cus__7"])
    func noCustomer(_ text: String) {
        #expect(Self.rules(text).isEmpty)
    }

    @Test("Member names are read as values are", arguments: LintCase.namesCases)
    func names(_ lint: LintCase) throws {
        try lint.run(on: "weekend-offer.json")
    }

    @Test("settings are signed and therefore read")
    func settings() throws {
        try LintCase.refused(
            "\"EUR\"", "\"ops@acme.example\"", "campaign.email", at: "/settings/currency",
            "\"ops@acme.example\""
        ).run(on: "workspace.json")
    }

    @Test(
        "What begins with $ at the top is not signed and not read; deeper it is",
        arguments: LintCase.dollarsCases)
    func dollars(_ lint: LintCase) throws {
        try lint.run(on: "weekend-offer.json")
    }
}

extension LintCase {
    static let namesCases: [LintCase] = [
        .refused(
            "\"text\"", "\"a@b.example\"", "campaign.email", at: "/x_more/a@b.example",
            "\"a@b.example\""),
        .warned("\"x_more\"", "\"cus_7\"", "campaign.customer-id", at: "/cus_7", "\"cus_7\""),
    ]

    static let dollarsCases: [LintCase] = [
        .accepted("\"../schema/campaign.schema.json\"", "\"jane@acme.example\""),
        .accepted("\"../schema/campaign.schema.json\"", "{\"x\": \"jane@acme.example\"}"),
        .refused(
            "\"text\": \"plain\"", "\"$text\": \"jane@acme.example\"", "campaign.email",
            at: "/x_more/$text", "\"jane"),
    ]
}
