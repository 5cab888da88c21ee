import CampaignCompiler
import GronaFormats
import Testing

@Suite("Rules of workspace.json")
struct PolicyRulesTests {
    @Test("Required members and settings hold at their boundaries", arguments: membersCases)
    func members(_ lint: LintCase) throws {
        try lint.run(on: "workspace.json")
    }

    static let membersCases: [LintCase] = [
        .refused("\"workspace\": \"acme-market\",", "", "workspace.name", at: "", "{\n"),
        .refused("\"acme-market\"", "\"acme\"", "workspace.name", at: "/workspace", "\"acme\""),
        .refused("\"acme-market\"", "\"-acme\"", "workspace.name", at: "/workspace", "\"-acme\""),
        .refused("\"acme-market\"", "\"schema\"", "workspace.name", at: "/workspace", "\"schema\""),
        .refused("\"acme-market\"", "false", "workspace.name", at: "/workspace", "false"),
        .refused("\"min_sdk\": \"1.2.0\",", "", "workspace.min-sdk", at: "", "{\n"),
        .refused(
            "\"1.2.0\"", "\"1.2.0-rc1\"", "workspace.min-sdk", at: "/min_sdk", "\"1.2.0-rc1\""),
        .refused("\"ttl_seconds\": 900,", "", "workspace.ttl", at: "", "{\n"),
        .accepted("900", "300"),
        .refused("900", "299", "workspace.ttl", at: "/ttl_seconds", "299"),
        .accepted("900", "86400"),
        .refused("900", "86401", "workspace.ttl", at: "/ttl_seconds", "86401"),
        .refused("900", "-300", "workspace.ttl", at: "/ttl_seconds", "-300"),
        .refused("900", "900.0", "workspace.ttl", at: "/ttl_seconds", "900.0"),
        .refused("900", "\"15m\"", "workspace.ttl", at: "/ttl_seconds", "\"15m\""),
        .refused("{\"currency\": \"EUR\"}", "[]", "workspace.settings", at: "/settings", "[]"),
        .accepted("{\"currency\": \"EUR\"}", "{\"demo\": false}"),
        .refused(
            "{\"currency\": \"EUR\"}", "{\"demo\": true}", "workspace.demo", at: "/settings/demo",
            "true"),
        .refused(
            "{\"currency\": \"EUR\"}", "{\"demo\": 1}", "workspace.demo", at: "/settings/demo", "1"),
        .accepted("{\"currency\": \"EUR\"}", "{\"nested\": {\"demo\": true}}"),
        .accepted("\"production\"", "\"demo\""),
        .refused(
            "\"production\"", "\"staging\"", "workspace.environment", at: "/environment",
            "\"staging\""),
        .accepted("\"served\"", "\"bundle-only\""),
        .refused("\"served\"", "\"bundle\"", "workspace.delivery", at: "/delivery", "\"bundle\""),
        .refused(
            "\"waivers\": []", "\"owner\": \"me\"", "workspace.member", at: "/owner", "\"owner\""),
        .accepted("\"waivers\": []", "\"$comment\": \"mail ops@acme.example\""),
    ]

    @Test("Durations hold at their boundaries", arguments: durationsCases)
    func durations(_ lint: LintCase) throws {
        try lint.run(on: "workspace.json")
    }

    static let durationsCases: [LintCase] = [
        .accepted("\"30d\"", "\"400d\""),
        .accepted("\"30d\"", "34560000"),
        .refused("\"30d\"", "34560001", "payload.lifetime", at: "/lifetimes/config", "34560001"),
        .refused("\"30d\"", "\"401d\"", "payload.lifetime", at: "/lifetimes/config", "\"401d\""),
        .refused("\"30d\"", "0", "payload.lifetime", at: "/lifetimes/config", "0"),
        .refused("\"30d\"", "-1", "payload.lifetime", at: "/lifetimes/config", "-1"),
        .refused("\"30d\"", "\"030d\"", "workspace.lifetimes", at: "/lifetimes/config", "\"030d\""),
        .refused("\"30d\"", "\"1.5d\"", "workspace.lifetimes", at: "/lifetimes/config", "\"1.5d\""),
        .refused("\"30d\"", "\"4w\"", "workspace.lifetimes", at: "/lifetimes/config", "\"4w\""),
        .refused("\"30d\"", "30.0", "workspace.lifetimes", at: "/lifetimes/config", "30.0"),
        .refused("\"30d\"", "true", "workspace.lifetimes", at: "/lifetimes/config", "true"),
        .accepted("\"14d\"", "\"400d\""),
        .accepted("\"14d\"", "1"),
        .refused("\"14d\"", "\"9601h\"", "bundle.lifetime", at: "/lifetimes/bundle", "\"9601h\""),
        .accepted("\"3d\"", "259200"),
        .refused(
            "\"3d\"", "259201", "bundle.lifetime", at: "/lifetimes/bundle_with_offers", "259201"),
        .accepted("\"1h\"", "\"24h\""),
        .refused("\"1h\"", "86401", "grant.lifetime", at: "/lifetimes/grant", "86401"),
        .accepted("\"2h\"", "\"7d\""),
        .refused("\"2h\"", "604801", "preview.lifetime", at: "/lifetimes/preview", "604801"),
        .refused(
            "\"preview\"", "\"previews\"", "workspace.member", at: "/lifetimes/previews",
            "\"previews\""),
        .refused("\"10d\"", "\"ten\"", "workspace.renew-before", at: "/renew_before", "\"ten\""),
        .refused("\"10d\"", "0", "workspace.renew-before", at: "/renew_before", "0"),
        .warned("\"10d\"", "\"30d\"", "workspace.always-due", at: "/renew_before", "\"30d\""),
        .accepted("\"10d\"", "2591999"),
        // A timer of 30 minutes, a cache of 300 s, a ttl of 900 s and 96 hours for people.
        .accepted("\"10d\"", "348600"),
        .warned("\"10d\"", "348599", "workspace.unoperable", at: "/renew_before", "348599"),
        .refused(
            "[\"checkout\"]", "\"checkout\"", "workspace.order-backends", at: "/order_backends",
            "\"checkout\""),
        .refused(
            "[\"checkout\"]", "[\"a b\"]", "workspace.order-backends", at: "/order_backends/0",
            "\"a b\""),
    ]

    @Test("Half of the lifetime is the renewal point where none is given")
    func halfOfTheLifetime() throws {
        let policy = Source.policy.replacing("\"renew_before\": \"10d\",\n", with: "")
        let enough = policy.replacing("\"30d\"", with: "697200")
        let short = policy.replacing("\"30d\"", with: "697199")
        #expect(
            CampaignCompiler.check(Source.workspace(Source.files(["workspace.json": enough])))
                .findings.isEmpty)
        let lint = CampaignCompiler.check(Source.workspace(Source.files(["workspace.json": short])))
        #expect(lint.findings.map(\.rule.rawValue) == ["workspace.unoperable"])
        #expect(lint.findings.first?.pointer == "/lifetimes/config")
        let bundles = short.replacing("\"served\"", with: "\"bundle-only\"")
        #expect(
            CampaignCompiler.check(Source.workspace(Source.files(["workspace.json": bundles])))
                .findings.isEmpty)
    }

    @Test("settings.demo is taken in a demo environment")
    func demo() throws {
        let policy = Source.policy.replacing("\"production\"", with: "\"demo\"")
            .replacing("{\"currency\": \"EUR\"}", with: "{\"demo\": true}")
        let lint = CampaignCompiler.check(
            Source.workspace(Source.files(["workspace.json": policy])))
        #expect(lint.findings.isEmpty)
    }

    @Test("A workspace without its policy is none")
    func noPolicy() throws {
        var files = Source.base
        files["workspace.json"] = nil
        let lint = CampaignCompiler.check(Source.workspace(files))
        #expect(lint.findings.map(\.rule.rawValue) == ["workspace.missing"])
        #expect(lint.workspace == nil)
    }
}
