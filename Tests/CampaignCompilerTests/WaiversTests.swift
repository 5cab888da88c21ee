import CampaignCompiler
import GronaFormats
import Testing

@Suite("Waivers")
struct WaiversTests {
    static func check(_ waivers: String, strict: Bool = false) -> WorkspaceLint {
        let policy = Source.policy.replacing("\"waivers\": []", with: "\"waivers\": [\(waivers)]")
        let offer = Source.offer.replacing("\"plain\"", with: "\"help@acme.example\"")
        return CampaignCompiler.check(
            Source.workspace(
                Source.files(["workspace.json": policy, "weekend-offer.json": offer])),
            strict: strict)
    }

    static let good = """
        {"file": "weekend-offer.json", "pointer": "/x_more/text", "rule": "campaign.email",
         "reason": "the shop's public address"}
        """

    @Test(
        "A finding that is accepted by file, place and rule does not stand",
        arguments: [false, true])
    func accepted(strict: Bool) {
        let lint = Self.check(Self.good, strict: strict)
        #expect(lint.findings.isEmpty)
        #expect(lint.waived.map(\.rule.rawValue) == ["campaign.email"])
        #expect(lint.workspace != nil)
    }

    @Test(
        "Another file, place or rule accepts nothing, and is said to",
        arguments: [
            ("weekend-offer.json", "b.json"), ("/x_more/text", "/x_more"),
            ("campaign.email", "campaign.phone"),
        ])
    func unused(_ change: String, _ into: String) {
        let lint = Self.check(Self.good.replacing(change, with: into))
        #expect(
            lint.findings.map(\.rule.rawValue).sorted()
                == ["campaign.email", "workspace.unused-waiver"])
        #expect(lint.workspace == nil)
    }

    @Test(
        "A waiver without a reason, of what no SDK takes, or with more members is refused",
        arguments: [
            (
                ",\n \"reason\": \"the shop's public address\"", "", "workspace.waivers",
                "/waivers/0"
            ),
            ("the shop's public address", " ", "workspace.waivers", "/waivers/0/reason"),
            ("\"weekend-offer.json\"", "1", "workspace.waivers", "/waivers/0/file"),
            ("\"reason\"", "\"by\": \"me\", \"reason\"", "workspace.member", "/waivers/0/by"),
        ])
    func refused(_ change: String, _ into: String, _ rule: String, _ pointer: String) {
        let lint = Self.check(Self.good.replacing(change, with: into))
        #expect(lint.findings.contains { $0.rule.rawValue == rule && $0.pointer == pointer })
        #expect(lint.workspace == nil)
    }

    @Test("What an SDK would refuse cannot be accepted")
    func unwaivable() throws {
        let waiver = """
            {"file": "b.json", "pointer": "/variants", "rule": "campaign.weights", "reason": "x"}
            """
        let policy = Source.policy.replacing("\"waivers\": []", with: "\"waivers\": [\(waiver)]")
        let banner = Source.banner.replacing("10000", with: "9999")
        let lint = CampaignCompiler.check(
            Source.workspace(Source.files(["workspace.json": policy, "b.json": banner])))
        #expect(lint.workspace == nil)
        #expect(lint.findings.contains { $0.rule.rawValue == "workspace.waivers" })
        #expect(lint.findings.contains { $0.rule.rawValue == "campaign.weights" })
    }
}
