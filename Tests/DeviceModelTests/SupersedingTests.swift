import DeviceModel
import GronaFormats
import Testing

@Suite("Configurations that need a newer SDK")
struct SupersedingTests {
    private static let newerSDK = #""1.5.0""#

    private func running(_ number: Int64 = 5, sdk: String = "1.4.0") -> Install {
        var install = install(sdk: sdk)
        _ = install.receive(PayloadDraft().with("version", "\(number)"))
        return install
    }

    @Test(
        "a config that needs a newer SDK supersedes a lower one, whatever its times and ttl say",
        arguments: [
            ("min_sdk", newerSDK, nil, nil), ("schema", "2", nil, nil),
            ("min_sdk", newerSDK, "expires_at", "1793264401"),
            ("min_sdk", newerSDK, "issued_at", "0"),
            ("min_sdk", newerSDK, "ttl_seconds", "-1"),
            ("min_sdk", newerSDK, "ttl_seconds", #""soon""#),
            ("schema", "2", "expires_at", nil),
            ("schema", "2", "min_sdk", nil),
        ] as [(String, String, String?, String?)])
    func supersedes(member: String, json: String, other: String?, otherJSON: String?) {
        var install = running()
        var draft = PayloadDraft().with("version", "6").with(member, json)
        if let other { draft = draft.with(other, otherJSON) }
        let outcome = install.receive(draft)
        #expect(!outcome.accepted)
        #expect(outcome.supersedes)
        #expect(install.supersededBy == version(6))
        #expect(install.running?.payload.version == version(5))
        #expect(install.highestVersion == .accepted(version(5)))
    }

    @Test(
        "one that is not higher, not ours, or rejected for another reason does not",
        arguments: [
            ("version", "5"), ("version", "4"), ("workspace", #""other""#),
            ("min_sdk", #""1.5""#), ("min_sdk", "null"), ("min_sdk", #""1.4.0""#),
        ])
    func doesNot(member: String, json: String) {
        var install = running()
        let draft = PayloadDraft().with("version", "6").with("min_sdk", Self.newerSDK)
            .with(member, json)
        let outcome = install.receive(draft)
        #expect(!outcome.supersedes)
        #expect(install.supersededBy == nil)
    }

    @Test("one whose signature fails, or that is too large, does not")
    func unsigned() {
        let draft = EnvelopeDraft(
            PayloadDraft().with("version", "6").with("min_sdk", Self.newerSDK))
        #expect(run(draft.bytes, running()).supersedes)
        #expect(!run(draft.bytes, running(), signature: .fails).supersedes)
        #expect(run(draft.padded(to: 786_432), running()).supersedes)
        #expect(!run(draft.padded(to: 786_433), running()).supersedes)
    }

    @Test("the mark is the highest such version and never sinks")
    func mark() {
        var install = running()
        _ = install.receive(PayloadDraft().with("version", "9").with("schema", "2"))
        _ = install.receive(PayloadDraft().with("version", "7").with("schema", "2"))
        #expect(install.supersededBy == version(9))
        _ = install.receive(PayloadDraft().with("version", "10").with("schema", "2"))
        #expect(install.supersededBy == version(10))
    }

    @Test("the mark clears when a config at that version or higher is accepted, not before")
    func clears() {
        for (number, remains) in [(6, true), (7, true), (8, false), (9, false)] {
            var install = running()
            _ = install.receive(PayloadDraft().with("version", "8").with("schema", "2"))
            let outcome = install.receive(PayloadDraft().with("version", "\(number)"))
            #expect(outcome.accepted)
            #expect((install.supersededBy != nil) == remains)
        }
    }

    @Test("where nothing runs, the highest accepted version stands for it")
    func nothingRuns() {
        let draft = EnvelopeDraft(
            PayloadDraft().with("version", "6").with("min_sdk", Self.newerSDK))
        #expect(run(draft.bytes, install()).supersedes)
        #expect(run(draft.bytes, install(highest: .notAsked)).supersedes)
        #expect(run(draft.bytes, install(highest: .accepted(version(5)))).supersedes)
        #expect(!run(draft.bytes, install(highest: .accepted(version(6)))).supersedes)
    }

    @Test("a config that is only expired, rolled back or of a bad ttl supersedes nothing")
    func otherRejections() {
        var install = running()
        for (member, json) in [
            ("expires_at", "1793264401"), ("ttl_seconds", "-1"), ("issued_at", "0"),
        ] {
            let outcome = install.receive(
                PayloadDraft().with("version", "6").with(member, json))
            #expect(!outcome.accepted)
            #expect(!outcome.supersedes)
        }
        #expect(install.supersededBy == nil)
    }
}
