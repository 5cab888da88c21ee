import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign, what it remembers and what it does without")
struct SignMemoryTests {
    private let setting: SignSetting

    init() throws {
        setting = try SignSetting()
    }

    private func kill(_ source: String, _ more: [String] = []) throws -> Program.Answer {
        try setting.run(["renew", source, "--disable", "weekend-offer"] + more)
    }

    private func auditLog() throws -> FilePath {
        let names = try FileManager.default.contentsOfDirectory(atPath: setting.path("state"))
        return FilePath(setting.path("state/\(try #require(names.first))/audit.ndjson"))
    }

    @Test("an offer that was killed and then removed stays off when older content is restored")
    func restore() throws {
        let first = try setting.config(1)
        let second = setting.path("second.json")
        #expect(try kill(first, ["-o", second]).isSuccess)
        try FileManager.default.removeItem(
            atPath: setting.path("campaigns/acme-market/weekend-offer.json"))
        let third = setting.path("third.json")
        #expect(
            try setting.run(["config", setting.campaigns, "--after", second, "-o", third])
                .isSuccess)
        let one = setting.path("restored.json")
        #expect(try setting.run(["restore", first, "--served", third, "-o", one]).isSuccess)
        let shown = try setting.run(["inspect", one, "--json"])
        #expect(shown.output.contains(#""enabled":false"#), "\(shown.output)")
        let request =
            #"{"id":1,"envelope":\#(try text(first)),"served":\#(try text(one)),"version":9}"#
        let batch = try setting.run(["restore", "--batch"], input: Array(request.utf8))
        #expect(batch.isSuccess, "\(batch.output)")
        let answer = try setting.json(batch)["envelope"]?.canonical() ?? []
        let last = try setting.run(["inspect", "-", "--json"], input: answer)
        #expect(last.output.contains(#""enabled":false"#), "\(last.output)")
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try readFile(FilePath(path), limit: 1 << 20), as: UTF8.self)
    }

    @Test("a torn line is told when it is removed, and a whole one without its newline is kept")
    func torn() throws {
        let first = try setting.config(1)
        let log = try auditLog()
        let whole = try readFile(log, limit: 1 << 20)
        try setting.folder.write("state-copy", whole)
        let file = try OpenFile(log, [.write, .append])
        try file.writeAll(Array(#"{"act":"si"#.utf8))
        for words in [["renew", first], ["keys", "check", "--workspace", "acme-market"]] {
            let answer = try setting.run(words)
            #expect(answer.isSuccess, "\(answer.errors)")
            #expect(
                answer.errors.contains("warning[log.repaired]") == (words[0] == "renew"),
                "\(answer.errors)")
        }
        let cut = try readFile(log, limit: 1 << 20).dropLast()
        let other = try OpenFile(log, [.write, .truncate])
        try other.writeAll(Array(cut))
        let adopted = try setting.run(
            ["audit", "withdraw", "acme-market", "1", "--reason", "never published"])
        #expect(adopted.isSuccess, "\(adopted.errors)")
        #expect(adopted.errors.contains("warning[log.completed]"), "\(adopted.errors)")
        let report = try setting.run(["audit", "verify", "--workspace", "acme-market"])
        #expect(report.isSuccess, "\(report.output)")
    }

    @Test("a workspace.json that breaks a rule stops everything but a kill")
    func brokenPolicy() throws {
        let first = try setting.config(1)
        let policy = "campaigns/acme-market/workspace.json"
        try setting.folder.write(policy, "{")
        #expect(!(try setting.run(["renew", first])).isSuccess)
        #expect(
            !(try setting.run(["renew", first, "--enable", "news", "--disable", "weekend-offer"]))
                .isSuccess)
        let killed = try kill(first)
        #expect(killed.isSuccess, "\(killed.errors)")
        #expect(killed.errors.contains("warning[policy.unreadable]"))
        let lines = [
            #"{"id":1,"envelope":\#(try text(first)),"version":8}"#,
            #"{"id":2,"envelope":\#(try text(first)),"version":9,"disable":["weekend-offer"]}"#,
        ]
        let batch = try setting.run(
            ["renew", "--batch", "--allow-disable"],
            input: Array(lines.joined(separator: "\n").utf8))
        #expect(batch.exit == .exited(65))
        let answers = batch.output.split(separator: "\n")
        #expect(answers.first?.contains(#""error""#) ?? false, "\(batch.output)")
        #expect(answers.last?.contains(#""envelope""#) ?? false, "\(batch.output)")
        #expect(batch.errors.contains("policy.unreadable"))
        try setting.writeCampaigns()
        let fine = try kill(first)
        #expect(!fine.errors.contains("policy.unreadable"), "\(fine.errors)")
    }

    @Test("a grant or pin of content that was replaced is told, and refused when strict")
    func staleGrant() throws {
        let first = try setting.config(1)
        let second = try setting.config(2)
        let pin = ["--campaign", "weekend-offer", "--variant", "B"]
        for words in [["preview"], ["grant", "--sub", "cus_1"]] {
            func run(_ source: String, _ more: [String] = []) throws -> Program.Answer {
                try setting.run([words[0], source] + words.dropFirst() + pin + more)
            }
            let stale = try run(first)
            #expect(stale.isSuccess, "\(stale.errors)")
            #expect(stale.errors.contains("warning[grant.stale-source]"))
            expectRefusal(try run(first, ["--strict"]), 65, "grant.stale-source")
            let fresh = try run(second, ["--strict"])
            #expect(fresh.isSuccess, "\(fresh.errors)")
        }
    }

    @Test("a grant of what another signer signed is told where this one has signed, too")
    func foreignGrant() throws {
        let first = try setting.config(1)
        let elsewhere = ["GRONA_STATE": setting.path("elsewhere")]
        let foreign = setting.path("foreign.json")
        let made = try setting.run(
            ["config", setting.campaigns, "--version", "2", "-o", foreign],
            environment: elsewhere)
        try #require(made.isSuccess, "\(made.errors)")
        let pin = ["--campaign", "weekend-offer", "--variant", "B"]
        #expect(
            try setting.run(["preview", foreign] + pin).errors
                .contains("warning[grant.stale-source]"))
        #expect(
            !(try setting.run(["preview", first] + pin)).errors.contains("grant.stale-source"))
        let empty = ["GRONA_STATE": setting.path("empty")]
        #expect(
            !(try setting.run(["preview", first] + pin, environment: empty)).errors
                .contains("grant.stale-source"))
    }

    @Test("one campaign is not switched both ways, and a switch without effect is told")
    func bothWays() throws {
        let first = try setting.config(1)
        let both = try kill(first, ["--enable", "weekend-offer"])
        #expect(both.exit == .exited(64), "\(both.errors)")
        let off = setting.path("off.json")
        #expect(!(try kill(first, ["-o", off])).errors.contains("campaign.unchanged"))
        let again = try kill(off)
        #expect(again.isSuccess, "\(again.errors)")
        #expect(again.errors.contains("warning[campaign.unchanged]"))
    }
}
