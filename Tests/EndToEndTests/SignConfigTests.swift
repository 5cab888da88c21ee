import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign config, renew, restore and bundle")
struct SignConfigTests {
    private let setting: SignSetting

    init() throws {
        setting = try SignSetting()
    }

    @Test("a config is signed into a file that others may read, and verifies")
    func config() throws {
        let output = setting.path("version-1.json")
        let answer = try setting.run([
            "config", setting.campaigns, "--version", "1", "-o", output,
        ])
        #expect(answer.isSuccess)
        #expect(answer.output == "")
        #expect(answer.errors.contains("warning[key.file-in-production]"))
        let status = try FileSystem.status(of: FilePath(output))
        #expect(status.permissions == 0o644)
        let bytes = try readFile(FilePath(output), limit: 1 << 20)
        #expect(bytes.starts(with: Array(#"{"protected":""#.utf8)) && bytes.last == 0x7D)
        #expect(try setting.run(["verify", output, "--sdk-version", "1.0.0"]).isSuccess)
    }

    @Test("without -o the envelope alone goes to standard output")
    func standardOutput() throws {
        let answer = try setting.run(["config", setting.campaigns, "--version", "1"])
        #expect(answer.isSuccess)
        #expect(try setting.json(answer).count == 3)
        #expect(
            try setting.run(["verify", "-"], input: Array(answer.output.utf8)).isSuccess)
    }

    @Test("--json tells what was signed")
    func json() throws {
        let output = setting.path("version-1.json")
        let file = try setting.json(
            setting.run(["config", setting.campaigns, "--version", "1", "-o", output, "--json"]))
        #expect(file["version"]?.integer == 1)
        #expect(file["file"]?.string == output)
        #expect(file["audit"]?.string?.utf8.count == 64)
        #expect(file["envelope"] == nil)
        let inline = try setting.json(
            setting.run(["config", setting.campaigns, "--version", "2", "--json"]))
        #expect(inline["envelope"]?.count == 3)
        #expect(inline["role"]?.string == "config")
    }

    @Test("--dry-run shows the difference, touches no key and writes nothing")
    func dryRun() throws {
        let first = try setting.config(1)
        try setting.writeCampaigns(enabled: false)
        try FileManager.default.removeItem(
            atPath: setting.path("keys/acme-market/acme-market-2026-10.pem"))
        let lines = try setting.auditLines()
        let answer = try setting.run([
            "config", setting.campaigns, "--after", first, "--dry-run", "-o",
            setting.path("next.json"),
        ])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.contains("the offer is switched off"))
        #expect(answer.output.contains("version 2"))
        #expect(!setting.exists("next.json"))
        #expect(try setting.auditLines() == lines)
        let json = try setting.json(
            setting.run(["config", setting.campaigns, "--after", first, "-n", "--json"]))
        #expect(json["difference"]?["campaigns"]?.count == 1)
    }

    @Test("a silent switch-on is refused, also in a dry run, and named it passes")
    func enable() throws {
        try setting.writeCampaigns(enabled: false)
        let off = try setting.config(1)
        try setting.writeCampaigns()
        let words = ["config", setting.campaigns, "--after", off, "-o", setting.path("on.json")]
        expectRefusal(try setting.run(words), 65, "transition.enabled")
        expectRefusal(try setting.run(words + ["-n"]), 65, "transition.enabled")
        #expect(!setting.exists("on.json"))
        #expect(try setting.run(words + ["--enable", "weekend-offer"]).isSuccess)
        expectRefusal(
            try setting.run(words + ["--force", "--enable", "nope"]), 65, "campaign.unknown")
    }

    @Test("versions: reused carries the next free one, jumps need their number again")
    func versions() throws {
        try setting.config(1)
        try setting.writeCampaigns(enabled: false)
        let again = try setting.run(["config", setting.campaigns, "--version", "1", "--json"])
        #expect(again.exit == .exited(65))
        #expect(again.output == "")
        let error = try setting.error(again)
        #expect(error["code"]?.string == "version.reused")
        #expect(error["next_version"]?.integer == 2)
        expectRefusal(
            try setting.run(["config", setting.campaigns, "--version", "1002"]), 65,
            "version.jump")
        expectRefusal(
            try setting.run([
                "config", setting.campaigns, "--version", "1002", "--allow-jump", "1003",
            ]), 65, "version.jump")
        #expect(
            try setting.run([
                "config", setting.campaigns, "--version", "1002", "--allow-jump", "1002",
            ]).isSuccess)
    }

    @Test("renew: stale, foreign, not yet due, killed, revived")
    func renew() throws {
        let first = try setting.config(1)
        let quiet = try setting.run(["renew", first, "--if-expires-within", "29d"])
        #expect(quiet.isSuccess && quiet.output == "" && quiet.errors == "")
        #expect(
            try setting.run([
                "renew", first, "--if-expires-within", "30d", "-o", setting.path("r2.json"),
            ]).isSuccess)
        let killed = setting.path("off.json")
        #expect(
            try setting.run([
                "renew", setting.path("r2.json"), "--disable", "weekend-offer", "-o", killed,
            ]).isSuccess)
        expectRefusal(try setting.run(["renew", first]), 65, "transition.stale-source")
        let revived = try setting.run(["renew", killed, "--enable", "weekend-offer", "--json"])
        #expect(try setting.json(revived)["role"]?.string == "revive")
        let stranger = try SignSetting()
        expectRefusal(
            try setting.run(["renew", try stranger.config(9)]), 65, "signature.invalid")
        expectRefusal(
            try setting.run(
                ["renew", try setting.config(20)],
                environment: ["GRONA_STATE": setting.path("other-state")]), 65,
            "transition.foreign-source")
        expectRefusal(
            try setting.run(["renew", setting.path("version-20.json"), "--lifetime", "1d"]), 65,
            "transition.expires_at")
    }

    @Test("a policy that is not there is said, and the source's lifetime holds")
    func undeclared() throws {
        let first = try setting.config(1)
        let answer = try setting.run(
            ["renew", first, "--json"],
            environment: ["GRONA_CAMPAIGNS": setting.path("nowhere")])
        #expect(answer.isSuccess)
        #expect(answer.errors.contains("policy.undeclared"))
        expectRefusal(
            try setting.run(
                ["renew", first, "--lifetime", "31d"],
                environment: ["GRONA_CAMPAIGNS": setting.path("nowhere")]), 65,
            "payload.lifetime")
    }

    @Test("restore brings old content back, and leaves off what is off")
    func restore() throws {
        let first = try setting.config(1)
        try setting.writeCampaigns(enabled: false)
        let second = try setting.config(2)
        expectRefusal(try setting.run(["restore", first]), 64, "usage.missing-option")
        let answer = try setting.run(["restore", first, "--served", second, "--json"])
        let payload = try setting.json(answer)
        #expect(payload["version"]?.integer == 3)
        #expect(payload["role"]?.string == "restore")
        expectRefusal(
            try setting.run(["restore", second, "--served", first]), 65,
            "transition.stale-source")
    }

    @Test("bundle: same version, no offers, not released, limits of its lifetime")
    func bundle() throws {
        let served = try setting.config(1)
        let answer = try setting.run(["bundle", served, "-o", setting.path("bundle.json")])
        #expect(answer.isSuccess)
        #expect(answer.errors.contains("not released"))
        expectRefusal(
            try setting.run(["bundle", served, "--lifetime", "15d"]), 65, "bundle.lifetime")
        expectRefusal(
            try setting.run(["bundle", served, "--keep-offers", "--lifetime", "4d"]), 65,
            "bundle.lifetime")
        #expect(
            try setting.run(["bundle", served, "--keep-offers", "--lifetime", "3d"]).isSuccess)
        expectRefusal(
            try setting.run(["bundle", setting.campaigns, "--version", "2"]), 65, "bundle.source")
        expectRefusal(
            try setting.run(["renew", setting.path("bundle.json")]), 65,
            "transition.foreign-source")
    }

    @Test("a bundle-only workspace is bundled from its folder, above every earlier version")
    func bundleOnly() throws {
        try setting.writeCampaigns(policy: #","delivery":"bundle-only""#)
        expectRefusal(
            try setting.run(["bundle", setting.campaigns]), 64, "usage.missing-option")
        let first = setting.path("bundle-1.json")
        #expect(
            try setting.run(["bundle", setting.campaigns, "--version", "1", "-o", first])
                .isSuccess)
        #expect(try setting.run(["verify", first, "--channel", "bundle"]).isSuccess)
        try setting.writeCampaigns(enabled: false, policy: #","delivery":"bundle-only""#)
        try setting.folder.write(
            "campaigns/acme-market/more.json",
            """
            {"id":"more","kind":"banner","enabled":true,"unit":"device","placements":["home"],
             "variants":[{"id":"only","weight":10000}]}
            """)
        expectRefusal(
            try setting.run(["bundle", setting.campaigns, "--version", "1"]), 65,
            "version.not-above")
        #expect(try setting.run(["bundle", setting.campaigns, "--version", "2"]).isSuccess)
        expectRefusal(try setting.run(["bundle", first]), 65, "bundle.source")
    }

    @Test("a rehearsal has its own state and time, and says so; without it --now is wrong use")
    func rehearsal() throws {
        expectRefusal(
            try setting.run(["config", setting.campaigns, "--version", "1", "--now", "1793264400"]),
            64, "usage.now")
        let answer = try setting.run(
            [
                "config", setting.campaigns, "--version", "1", "--now", "1793264400", "--json",
            ], environment: ["GRONA_REHEARSAL": "1"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.errors.contains("rehearsal"))
        #expect(try setting.json(answer)["issued_at"]?.integer == 1_793_264_400)
        #expect(setting.exists("state/rehearsal"))
        let log = try setting.run(
            ["audit", "show", "--json", "--workspace", "acme-market"],
            environment: ["GRONA_REHEARSAL": "1"])
        #expect(try setting.json(log).elements.allSatisfy { $0["rehearsal"]?.boolean == true })
        #expect(try setting.auditLines() == 2)
    }
}
