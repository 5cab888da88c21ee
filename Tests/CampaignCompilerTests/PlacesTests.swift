import CampaignCompiler
import GronaFormats
import StrictJSON
import Testing

@Suite("Places of findings")
struct PlacesTests {
    static func findings(_ file: String, _ text: String, strict: Bool = false) -> [Finding] {
        CampaignCompiler.check(Source.workspace(Source.files([file: text])), strict: strict)
            .findings
    }

    @Test("Line and column count characters from 1, past umlauts and tabs")
    func columns() throws {
        let offer = Source.offer.replacing(
            "{\"id\": \"B\", \"weight\": 8000, \"content\": {\"title\": \"10% off\"}}",
            with: "\t{\"content\": \"für 😀\", \"id\": \"B\", \"weight\": 8000.5}")
        let finding = try #require(Self.findings("weekend-offer.json", offer).first)
        #expect(finding.position == JSONPosition(line: 10, column: 48))
        #expect(finding.pointer == "/variants/1/weight")
        #expect(finding.file == "campaigns/acme-market/weekend-offer.json")
        #expect(finding.detail == .type(expected: .integer, found: .number))
    }

    @Test("Findings come by file, then by place")
    func order() {
        var files = Source.base
        files["weekend-offer.json"] = Source.offer.replacing("10,", with: "1.5,")
            .replacing("\"customer\"", with: "\"x\"")
        files["b.json"] = Source.banner.replacing("true", with: "0")
        let found = CampaignCompiler.check(Source.workspace(files)).findings
        #expect(
            found.map(\.rule.rawValue) == [
                "campaign.enabled", "campaign.unit", "campaign.priority",
            ])
    }

    @Test("Two files never hold one id")
    func duplicate() {
        var files = Source.base
        files["c.json"] = Source.banner
        let found = CampaignCompiler.check(Source.workspace(files)).findings
        #expect(found.map(\.rule.rawValue) == ["campaign.id", "campaign.id"])
        #expect(found.allSatisfy { $0.file == "campaigns/acme-market/c.json" })
        #expect(
            found.contains {
                $0.detail == .duplicate(id: "b", firstFile: "b.json", firstPointer: "/id")
            })
    }

    @Test(
        "What is no I-JSON is named at the byte where it stops being it",
        arguments: [
            ("{\"id\": \"b\",", "json.truncated", 1, 12, ""),
            ("", "json.truncated", 1, 1, ""),
            ("{\"id\": \"b\",\n \"id\": \"c\"}", "json.duplicate-name", 2, 2, "/id"),
            ("\u{FEFF}{}", "json.bom", 1, 1, ""),
            ("{\"id\": NaN}", "json.number", 1, 8, "/id"),
            ("[]", "campaign.form", 1, 1, ""),
            ("{\"id\": \"\\ud800\"}", "json.surrogate", 1, 9, "/id"),
        ])
    func json(_ text: String, _ code: String, _ line: Int, _ column: Int, _ pointer: String) throws
    {
        let found = Self.findings("b.json", text)
        #expect(found.count == 1)
        let finding = try #require(found.first)
        #expect(finding.rule.rawValue == code)
        #expect(finding.position == JSONPosition(line: line, column: column))
        #expect(finding.pointer == pointer)
    }

    @Test("A campaign may be 30 levels deep: two more stand around it in a payload")
    func depth() {
        func banner(_ levels: Int) -> String {
            // The campaign itself is one level.
            let nested =
                String(repeating: "[", count: levels - 1)
                + String(repeating: "]", count: levels - 1)
            return Source.banner.replacing(
                "\"placements\": []", with: "\"placements\": [], \"x\": \(nested)")
        }
        #expect(Self.findings("b.json", banner(30)).isEmpty)
        #expect(Self.findings("b.json", banner(31)).map(\.rule.rawValue) == ["json.too-deep"])
    }

    @Test("Of many findings in one file a hundred are listed and the others counted")
    func many() {
        let started = ContinuousClock.now
        func found(_ count: Int) -> [Finding] {
            let list = Array(repeating: "\"a b\"", count: count).joined(separator: ",")
            return Self.findings(
                "b.json",
                Source.banner.replacing("\"placements\": []", with: "\"placements\": [\(list)]"))
        }
        #expect(
            found(100).map(\.rule.rawValue) == Array(repeating: "campaign.placements", count: 100))
        let more = found(101)
        #expect(more.count == 101)
        #expect(more.contains { $0.detail == .more(1) && $0.severity == .error })
        #expect(found(100_000).contains { $0.detail == .more(99_900) })
        // Warnings do not push an error out.
        let segments = Array(repeating: "\"a b\"", count: 500).joined(separator: ",")
        let both = Self.findings(
            "b.json",
            Source.banner.replacing(
                "\"placements\": []", with: "\"segments\": [\(segments)], \"placements\": 1"))
        #expect(both.contains { $0.rule.rawValue == "campaign.placements" })
        #expect(ContinuousClock.now - started < .seconds(60))
    }

    @Test("Strictness makes errors of warnings")
    func strict() {
        let offer = Source.offer.replacing("seg-1", with: "seg 1")
        #expect(Self.findings("weekend-offer.json", offer).map(\.severity) == [.warning])
        #expect(
            Self.findings("weekend-offer.json", offer, strict: true).map(\.severity) == [.error])
        let files = Source.files(["weekend-offer.json": offer])
        #expect(CampaignCompiler.check(Source.workspace(files)).workspace != nil)
        #expect(CampaignCompiler.check(Source.workspace(files), strict: true).workspace == nil)
    }

    @Test("A file that only resembles a campaign's is named; others are none of ours")
    func otherFiles() {
        var files = Source.base
        files["README.md"] = "# Campaigns"
        files["c.JSON"] = "{}"
        let found = CampaignCompiler.check(Source.workspace(files)).findings
        #expect(found.map(\.rule.rawValue) == ["campaign.file"])
        #expect(found.first?.severity == .warning)
    }
}
