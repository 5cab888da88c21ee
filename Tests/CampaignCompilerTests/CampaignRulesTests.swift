import Testing

@Suite("Rules of a campaign")
struct CampaignRulesTests {
    @Test(
        "Each table has edits that are refused and edits that pass",
        arguments: [
            basicsCases, variantsCases, moreCases, timesCases,
        ])
    func bothSides(_ cases: [LintCase]) {
        #expect(cases.contains { $0.rule != nil })
        #expect(cases.contains { $0.rule == nil })
    }

    @Test("Id, kind, switch, unit and placements hold at their boundaries", arguments: basicsCases)
    func basics(_ lint: LintCase) throws {
        try lint.run(on: "weekend-offer.json")
    }

    static let basicsCases: [LintCase] = [
        .refused("\"id\": \"weekend-offer\",", "", "campaign.id", at: "", "{\n"),
        .refused("\"weekend-offer\"", "7", "campaign.id", at: "/id", "7"),
        .refused("\"weekend-offer\"", "\"a b\"", "campaign.id", at: "/id", "\"a b\""),
        .refused("\"weekend-offer\"", "\"\"", "campaign.id", at: "/id", "\"\""),
        .refused("\"weekend-offer\"", "\"weekend\"", "campaign.id", at: "/id", "\"weekend\""),
        .refused("\"weekend-offer\"", "\"workspace\"", "campaign.id", at: "/id", "\"workspace\""),
        .refused("\"kind\": \"offer\",", "", "campaign.kind", at: "", "{\n"),
        .refused("\"offer\"", "\"Offer\"", "campaign.kind", at: "/kind", "\"Offer\""),
        .refused("\"offer\"", "null", "campaign.kind", at: "/kind", "null"),
        .refused("\"enabled\": true,", "", "campaign.enabled", at: "", "{\n"),
        .refused("\"enabled\": true", "\"enabled\": 1", "campaign.enabled", at: "/enabled", "1"),
        .accepted("\"enabled\": true", "\"enabled\": false"),
        .refused("\"unit\": \"customer\",", "", "campaign.unit", at: "", "{\n"),
        .refused("\"customer\"", "\"device\"", "campaign.unit", at: "/unit", "\"device\""),
        .refused("\"customer\"", "\"session\"", "campaign.unit", at: "/unit", "\"session\""),
        .refused("\"placements\": [\"home.hero\"],", "", "campaign.placements", at: "", "{\n"),
        .refused(
            "[\"home.hero\"]", "\"home.hero\"", "campaign.placements", at: "/placements",
            "\"home.hero\""),
        .refused(
            "[\"home.hero\"]", "[\"home.hero\", \"a/b\"]", "campaign.placements",
            at: "/placements/1", "\"a/b\""),
        .accepted("[\"home.hero\"]", "[]"),
        .accepted("[\"home.hero\"]", "[\"\(String(repeating: "p", count: 128))\"]"),
        .refused(
            "[\"home.hero\"]", "[\"\(String(repeating: "p", count: 129))\"]",
            "campaign.placements", at: "/placements/0", "\"pp"),
        .accepted("[\"home.hero\"]", "[\"AZaz09._:-\"]"),
    ]

    @Test("Variants and their weights hold at their boundaries", arguments: variantsCases)
    func variants(_ lint: LintCase) throws {
        try lint.run(on: "weekend-offer.json")
    }

    static let variantsCases: [LintCase] = [
        .refused("\"weight\": 8000", "\"weight\": 7999", "campaign.weights", at: "/variants", "["),
        .refused("\"weight\": 8000", "\"weight\": 8001", "campaign.weights", at: "/variants", "["),
        .refused(
            "\"weight\": 8000", "\"weight\": 8000.0", "campaign.weights", at: "/variants/1/weight",
            "8000.0"),
        .refused(
            "\"weight\": 8000", "\"weight\": 8e3", "campaign.weights", at: "/variants/1/weight",
            "8e3"),
        .refused(
            "\"weight\": 8000", "\"weight\": \"8000\"", "campaign.weights",
            at: "/variants/1/weight", "\"8000\""),
        .refused(
            "\"weight\": 8000", "\"weight\": -1", "campaign.weights", at: "/variants/1/weight", "-1"
        ),
        .refused(
            "\"weight\": 8000", "\"weight\": 10001", "campaign.weights", at: "/variants/1/weight",
            "10001"),
        .refused(
            "{\"id\": \"A\", \"weight\": 2000, \"control\": true}",
            "{\"id\": \"A\", \"control\": true}", "campaign.weights", at: "/variants/0", "{"),
        .accepted(
            "{\"id\": \"A\", \"weight\": 2000, \"control\": true}",
            "{\"id\": \"A\", \"weight\": 0}, {\"id\": \"C\", \"weight\": 2000}"),
        .refused(
            "\"id\": \"B\"", "\"id\": \"A\"", "campaign.variants", at: "/variants/1/id", "\"A\""),
        .accepted("\"id\": \"B\"", "\"id\": \"a\""),
        .refused("\"id\": \"B\", ", "", "campaign.variants", at: "/variants/1", "{"),
        .refused(
            "\"control\": true", "\"control\": \"true\"", "campaign.variants",
            at: "/variants/0/control", "\"true\""),
        .refused(
            "\"weight\": 8000, ", "\"weight\": 8000, \"control\": true, ", "campaign.variants",
            at: "/variants", "["),
        .accepted("\"control\": true", "\"control\": false"),
        .accepted("{\"title\": \"10% off\"}", "\"any\""),
        .accepted("{\"title\": \"10% off\"}", "null"),
    ]

    @Test("An empty list of variants adds up to nothing")
    func noVariants() throws {
        try LintCase.refused(
            "[{\"id\": \"only\", \"weight\": 10000}]", "[]", "campaign.weights", at: "/variants",
            "[]"
        ).run(on: "b.json")
    }

    @Test("A campaign that is no offer may have only controls")
    func onlyControls() throws {
        try LintCase.accepted("\"weight\": 10000", "\"weight\": 10000, \"control\": true")
            .run(on: "b.json")
    }

    @Test(
        "Treatments, versions, segments and priorities hold at their boundaries",
        arguments: moreCases)
    func more(_ lint: LintCase) throws {
        try lint.run(on: "weekend-offer.json")
    }

    static let treatment = "\"treatment\": {\"type\": \"percent_off\", \"value\": 10000},"

    static let moreCases: [LintCase] = [
        .refused(treatment, "", "campaign.treatment", at: "", "{\n"),
        .refused("\"offer\"", "\"banner\"", "campaign.treatment", at: "/treatment", "{"),
        .refused("\"percent_off\"", "\"%\"", "campaign.treatment", at: "/treatment/type", "\"%\""),
        .refused(
            "\"type\": \"percent_off\", ", "", "campaign.treatment", at: "/treatment", "{"),
        .refused(", \"value\": 10000", "", "campaign.treatment", at: "/treatment", "{"),
        .accepted("\"value\": 10000", "\"value\": 0"),
        .refused(
            "\"value\": 10000", "\"value\": -1", "campaign.treatment", at: "/treatment/value", "-1"),
        .refused(
            "\"value\": 10000", "\"value\": 10000.0", "campaign.treatment", at: "/treatment/value",
            "10000.0"),
        .accepted("\"value\": 10000", "\"value\": 9007199254740991"),
        .refused(
            "\"value\": 10000", "\"value\": 9007199254740992", "json.number",
            at: "/treatment/value", "9007199254740992"),
        .accepted("\"value\": 10000", "\"value\": 10000, \"max\": 5"),
        .refused("\"1.3.0\"", "\"1.3\"", "campaign.min-sdk", at: "/min_sdk", "\"1.3\""),
        .refused("\"1.3.0\"", "\"1.03.0\"", "campaign.min-sdk", at: "/min_sdk", "\"1.03.0\""),
        .refused("\"1.3.0\"", "1.3", "campaign.min-sdk", at: "/min_sdk", "1.3"),
        .accepted("\"1.3.0\"", "\"0.0.999999999\""),
        .refused(
            "\"1.3.0\"", "\"0.0.1000000000\"", "campaign.min-sdk", at: "/min_sdk", "\"0.0.1"),
        .refused("[\"seg-1\"]", "\"seg-1\"", "campaign.segments", at: "/segments", "\"seg-1\""),
        .refused("[\"seg-1\"]", "[1]", "campaign.segments", at: "/segments/0", "1"),
        .refused("[\"seg-1\"]", "[\"\"]", "campaign.segments", at: "/segments/0", "\"\""),
        .warned("[\"seg-1\"]", "[\"big spender\"]", "campaign.segment", at: "/segments/0", "\"big"),
        .warned("[\"seg-1\"]", "[\"a@b\"]", "campaign.segment", at: "/segments/0", "\"a@b\""),
        .accepted("[\"seg-1\"]", "[]"),
        .refused(
            "\"priority\": 10", "\"priority\": 1.5", "campaign.priority", at: "/priority", "1.5"),
        .refused(
            "\"priority\": 10", "\"priority\": \"1\"", "campaign.priority", at: "/priority", "\"1\""
        ),
        .accepted("\"priority\": 10", "\"priority\": -9007199254740991"),
        .accepted("\"priority\": 10", "\"priority\": 9007199254740991"),
        .refused(
            "{\"action\": \"open\"}", "{}", "campaign.call-to-action", at: "/call_to_action", "{}"),
        .refused(
            "{\"action\": \"open\"}", "\"open\"", "campaign.call-to-action", at: "/call_to_action",
            "\"open\""),
        .refused(
            "{\"action\": \"open\"}", "{\"action\": \"o p\"}", "campaign.call-to-action",
            at: "/call_to_action/action", "\"o p\""),
        .accepted("{\"action\": \"open\"}", "{\"action\": \"add_to_basket\", \"product\": 7}"),
        .accepted("\"x_more\": {\"text\": \"plain\"}", "\"y\": [1, {\"z\": null}]"),
    ]

    @Test("Times hold at their boundaries", arguments: timesCases)
    func times(_ lint: LintCase) throws {
        try lint.run(on: "weekend-offer.json")
    }

    private static let start = "\"starts_at\": 1793264400"
    private static let end = "\"ends_at\": 1793268000"

    static let timesCases: [LintCase] = [
        .accepted(start, "\"starts_at\": 1577836800"),
        .refused(
            start, "\"starts_at\": 1577836799", "campaign.times", at: "/starts_at", "1577836799"),
        .accepted(end, "\"ends_at\": 4102444800"),
        .refused(end, "\"ends_at\": 4102444801", "campaign.times", at: "/ends_at", "4102444801"),
        .accepted(start, "\"starts_at\": \"2020-01-01T00:00:00Z\""),
        .refused(
            start, "\"starts_at\": \"2020-01-01T00:59:59+01:00\"", "campaign.times",
            at: "/starts_at", "\"2020-01-01T00:59:59+01:00\""),
        .accepted(end, "\"ends_at\": \"2099-12-31T23:00:00-01:00\""),
        .refused(
            end, "\"ends_at\": \"2100-01-01T00:00:01Z\"", "campaign.times", at: "/ends_at",
            "\"2100-01-01T00:00:01Z\""),
        .refused(
            start, "\"starts_at\": \"2026-10-24T18:00:00\"", "campaign.times", at: "/starts_at",
            "\"2026-10-24T18:00:00\""),
        .refused(
            start, "\"starts_at\": \"2026-10-24T18:00:00.5Z\"", "campaign.times", at: "/starts_at",
            "\"2026"),
        .refused(
            start, "\"starts_at\": \"2016-12-31T23:59:60Z\"", "campaign.times", at: "/starts_at",
            "\"2016"),
        .refused(
            start, "\"starts_at\": \"2026-02-29T00:00:00Z\"", "campaign.times", at: "/starts_at",
            "\"2026"),
        .accepted(start, "\"starts_at\": \"2024-02-29T00:00:00Z\""),
        .refused(
            start, "\"starts_at\": 1793264400.0", "campaign.times", at: "/starts_at", "1793264400.0"
        ),
        .refused(
            start, "\"starts_at\": \"1793264400\"", "campaign.times", at: "/starts_at",
            "\"1793264400\""),
        .refused(start, "\"starts_at\": null", "campaign.times", at: "/starts_at", "null"),
        .accepted(end, "\"ends_at\": 1793264401"),
        .warned(end, "\"ends_at\": 1793264400", "campaign.never-on", at: "/ends_at", "1793264400"),
    ]
}
