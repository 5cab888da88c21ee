import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `kill` through the built programs, with the signer as its child.
@Suite struct PublishKillTests {
    private let setting: PublishSetting

    init() throws {
        setting = try PublishSetting()
        try setting.publish(1)
    }

    @Test func `The campaign is off in the next version, and everything else stays`() throws {
        let answer = try setting.run(["kill", "acme-market", "weekend-offer"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.contains("weekend-offer of acme-market is off in version 2"))
        #expect(answer.output.contains("the offer is switched off"))
        let payload = try setting.servedPayload()
        #expect(payload["version"]?.integer == 2)
        #expect(try setting.isOn("weekend-offer") == false)
        #expect(try setting.isOn("news") == true)
        let ledger = try setting.ledger()
        #expect(ledger.contains(#""event":"claim""#))
        #expect(ledger.contains(#""result":"published""#))
    }

    @Test func `What is off already is done, and nothing is signed for it`() throws {
        try setting.killed(["weekend-offer"])
        let lines = try setting.signing.auditLines()
        let before = try setting.tree()
        let again = try setting.run(["kill", "acme-market", "weekend-offer", "--json"])
        #expect(again.isSuccess, "\(again.errors)")
        let json = try setting.signing.json(again)
        #expect(json["result"]?.string == "unchanged")
        #expect(json["version"]?.integer == 2)
        #expect(try setting.signing.auditLines() == lines)
        #expect(try setting.tree() == before)
    }

    @Test func `Whoever may renew cannot keep a campaign from being switched off`() throws {
        let served = try String(contentsOfFile: setting.served, encoding: .utf8)
        let lines = (2...1_001).map { #"{"id":"\#($0)","envelope":\#(served),"version":\#($0)}"# }
        let input = Array((lines.joined(separator: "\n") + "\n").utf8)
        let signed = try setting.signing.run(["renew", "--batch"], input: input)
        #expect(signed.isSuccess, "\(signed.errors)")
        let held = try setting.run(["refresh", "acme-market", "--within", "400d"])
        #expect(held.errors.contains("error[version.jump]"), "\(held.errors)")
        #expect(held.errors.contains("push --allow-jump"), "\(held.errors)")
        let refused = try setting.run(["kill", "acme-market", "weekend-offer"])
        expectRefusal(refused, 65, "version.jump")
        let allowed = try #require(
            refused.errors.split(separator: " ").drop { $0 != "--allow-jump" }.dropFirst().first)
        let answer = try setting.run([
            "kill", "acme-market", "weekend-offer", "--allow-jump", String(allowed),
        ])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try setting.isOn("weekend-offer") == false)
        let again = try setting.run(["refresh", "acme-market", "--within", "400d"])
        #expect(again.isSuccess, "\(again.errors)")
    }

    @Test func `Several campaigns go at once`() throws {
        try setting.killed(["weekend-offer", "news"])
        #expect(try setting.isOn("weekend-offer") == false)
        #expect(try setting.isOn("news") == false)
    }

    @Test func `A dry run signs nothing and writes nothing`() throws {
        let before = try setting.tree()
        let lines = try setting.signing.auditLines()
        let copy = setting.path("copy.json")
        let answer = try setting.run([
            "kill", "acme-market", "weekend-offer", "--dry-run", "--also-write", copy,
        ])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.contains("would be off in version 2"))
        #expect(answer.output.contains("the offer is switched off"))
        #expect(try setting.tree() == before)
        #expect(try setting.signing.auditLines() == lines)
        #expect(!setting.signing.exists("copy.json"))
    }

    @Test func `A campaign that is not there is refused, and that is on record`() throws {
        let answer = try setting.run(["kill", "acme-market", "weekend-ofer"])
        expectRefusal(answer, 65, "campaign.unknown")
        #expect(answer.errors.contains("help: it has ") && answer.errors.contains("weekend-offer"))
        #expect(try setting.ledger().contains(#""code":"campaign.unknown""#))
        #expect(try setting.isOn("weekend-offer") == true)
    }

    @Test func `Nothing served is nothing to switch off`() throws {
        try FileManager.default.removeItem(atPath: setting.path("public/v1"))
        let fresh = ["--state", setting.path("other-state")]
        let answer = try setting.run(
            ["kill", "acme-market", "weekend-offer", "--signer", setting.signerWords] + fresh)
        expectRefusal(answer, 66, "served.missing")
    }

    @Test func `A store that went back is not what the new version is made of`() throws {
        let first = try Data(contentsOf: URL(filePath: setting.served))
        try setting.killed(["news"])
        try first.write(to: URL(filePath: setting.served))
        let answer = try setting.run(["kill", "acme-market", "weekend-offer"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.errors.contains("served.rolled-back"))
        #expect(try setting.servedPayload()["version"]?.integer == 3)
        #expect(try setting.isOn("news") == false)
        #expect(try setting.isOn("weekend-offer") == false)
    }

    // MARK: Copies and grants

    @Test func `Copies are written whole, for all to read, over what was there`() throws {
        try setting.signing.folder.write("a.json", "old")
        let paths = [setting.path("a.json"), setting.path("b.json")]
        try setting.killed(["weekend-offer", "--also-write", paths[0], "--also-write", paths[1]])
        let served = try Data(contentsOf: URL(filePath: setting.served))
        for path in paths {
            #expect(try Data(contentsOf: URL(filePath: path)) == served)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o644)
        }
    }

    @Test func `A copy that cannot be written is told when the campaign is off`() throws {
        let good = setting.path("good.json")
        let answer = try setting.run([
            "kill", "acme-market", "weekend-offer", "--also-write", "/proc/nothing/x.json",
            "--also-write", good,
        ])
        #expect(answer.exit == .exited(73), "\(answer.errors)")
        #expect(answer.output.contains("is off in version 2"))
        #expect(try setting.isOn("weekend-offer") == false)
        #expect(setting.signing.exists("good.json"))
    }

    @Test func `Without a log, the policy says until when grants can be spent`() throws {
        let answer = try setting.run(["kill", "acme-market", "weekend-offer", "news", "--json"])
        #expect(answer.isSuccess, "\(answer.errors)")
        let grants = try #require(try setting.signing.json(answer)["grants"])
        let offer = try #require(grants.elements.first { _ in true })
        #expect(grants.count == 1)
        #expect(offer["campaign"]?.string == "weekend-offer")
        #expect(offer["unexpired"]?.kind == .null)
        let until = try #require(offer["until"]?.integer)
        let hour = Int64(Date.now.timeIntervalSince1970) + 3_600
        #expect((hour - 60...hour).contains(until))
    }

    @Test func `The logs of issued grants are counted`() throws {
        let now = Int64(Date.now.timeIntervalSince1970)
        func line(_ campaign: String, _ expires: Int64, _ workspace: String = "acme-market")
            -> String
        {
            #"{"jti":"a","wks":"\#(workspace)","cmp":"\#(campaign)","exp":\#(expires),"iat":1}"#
                + "\n"
        }
        try setting.signing.folder.folder("logs")
        try setting.signing.folder.write(
            "logs/1.ndjson",
            "{\"format\":1}\n" + line("weekend-offer", now + 900) + line("weekend-offer", now - 1)
                + line("news", now + 9_000) + line("weekend-offer", now + 8_000, "other-shop"))
        try setting.signing.folder.write(
            "logs/2.ndjson",
            line("weekend-offer", now + 700) + #"{"torn"#)
        let answer = try setting.run([
            "kill", "acme-market", "weekend-offer", "--issuance-log", setting.path("logs"),
            "--json",
        ])
        #expect(answer.isSuccess, "\(answer.errors)")
        let json = try setting.signing.json(answer)
        let grant = try #require(json["grants"]?.elements.first { _ in true })
        #expect(grant["unexpired"]?.integer == 2)
        #expect(grant["until"]?.integer == now + 900)
    }

    // MARK: Races

    @Test func `Four at once all come through, each on what the others made`() throws {
        let script = """
            for pair in weekend-offer news weekend-offer news; do
                "$PUBLISH" kill acme-market $pair >"$DIR/out-$$-$pair-$RANDOM" 2>&1 &
                jobs="$jobs $!"
            done
            status=0
            for job in $jobs; do wait $job || status=$?; done
            exit $status
            """
        let answer = try setting.shell(script)
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try setting.isOn("weekend-offer") == false)
        #expect(try setting.isOn("news") == false)
        let version = try #require(try setting.servedPayload()["version"]?.integer)
        #expect((2...9).contains(version))
    }

    @Test func `An unpublished config that is newer is told, and the campaign stays on`() throws {
        _ = try setting.signing.config(2)
        let answer = try setting.run(["kill", "acme-market", "weekend-offer"])
        expectRefusal(answer, 65, "transition.stale-source")
        #expect(answer.errors.contains("version 2 of acme-market, which is not published"))
        #expect(answer.errors.contains("grona-publish push FILE --to \(setting.store)"))
        #expect(answer.errors.contains("grona-sign audit withdraw acme-market 2 --reason TEXT"))
        #expect(try setting.isOn("weekend-offer") == true)
    }

    /// The envelope that is served goes back to version 1: a run was cut short between its claim
    /// and its swap, and its ledger never heard that anything was served.
    private func cutShort() throws -> [String] {
        let first = try Data(contentsOf: URL(filePath: setting.served))
        try setting.killed(["news"])
        try first.write(to: URL(filePath: setting.served))
        return ["--state", setting.path("other-state"), "--signer", setting.signerWords]
    }

    @Test func `A kill that was cut short after its claim is finished by the next one`() throws {
        let options = try cutShort()
        let answer = try setting.run(["kill", "acme-market", "weekend-offer"] + options)
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.errors.contains("version 2, which an earlier run had signed and not"))
        #expect(try setting.servedPayload()["version"]?.integer == 3)
        #expect(try setting.isOn("news") == false)
        #expect(try setting.isOn("weekend-offer") == false)
    }

    @Test func `Anything but a kill that was cut short is told with the commands, and they work`()
        throws
    {
        let first = try Data(contentsOf: URL(filePath: setting.served))
        try setting.killed(["news"])
        try setting.signing.folder.write(
            "campaigns/acme-market/more.json",
            #"{"id":"more","kind":"banner","enabled":true,"unit":"device","placements":["home"],"#
                + #""variants":[{"id":"only","weight":10000}]}"#)
        try setting.publish(3, ["--enable", "news"])
        try first.write(to: URL(filePath: setting.served))
        let options = ["--state", setting.path("other-state")]
        let kill =
            ["kill", "acme-market", "weekend-offer", "--signer", setting.signerWords] + options
        let answer = try setting.run(kill)
        expectRefusal(answer, 65, "transition.stale-source")
        let file = setting.path("claimed.json")
        #expect(answer.errors.contains("grona-publish fetch acme-market --claimed 3 -o"))
        let fetched = try setting.run(["fetch", "acme-market", "--claimed", "3", "-o", file])
        #expect(fetched.isSuccess, "\(fetched.errors)")
        expectRefusal(
            try setting.run(["fetch", "acme-market", "--claimed", "4"]), 66, "version.missing")
        #expect(try setting.run(["push", file] + options).isSuccess)
        #expect(try setting.run(kill).isSuccess)
        #expect(try setting.isOn("weekend-offer") == false)
    }

    @Test func `What a log hides is never taken for nothing`() throws {
        let now = Int64(Date.now.timeIntervalSince1970)
        let grant =
            #"{"jti":"a","wks":"acme-market","cmp":"weekend-offer","exp":\#(now + 900),"iat":1}"#
        func offer(_ logs: [String]) throws -> JSONElement {
            let answer = try setting.run(
                ["kill", "acme-market", "weekend-offer", "--json"]
                    + logs.flatMap { ["--issuance-log", setting.path($0)] })
            #expect(answer.isSuccess, "\(answer.errors)")
            return try #require(
                try setting.signing.json(answer)["grants"]?.elements.first { _ in true })
        }
        try setting.signing.folder.write("whole.ndjson", grant + "\n")
        let whole = try offer(["whole.ndjson"])
        #expect(whole["unexpired"]?.integer == 1 && whole["at_least"]?.boolean == false)
        #expect(whole["until"]?.integer == now + 900)
        // The last line of a log is whole without its newline, too.
        try setting.signing.folder.write("last.ndjson", grant)
        #expect(try offer(["last.ndjson"])["unexpired"]?.integer == 1)
        try setting.signing.folder.write("bad.ndjson", grant + "\ngarbage\n")
        for logs in [
            ["bad.ndjson"], ["whole.ndjson", "nothing.ndjson"], ["whole.ndjson", "pipe"],
        ] {
            if logs.last == "pipe" {
                try Tool.output(["mkfifo", setting.path("pipe")])
            }
            let least = try offer(logs)
            #expect(least["unexpired"]?.integer == 1, "\(logs)")
            #expect(least["at_least"]?.boolean == true, "\(logs)")
            #expect((least["until"]?.integer ?? 0) >= now + 3_600, "\(logs)")
        }
        let none = try offer(["nothing.ndjson"])
        #expect(none["unexpired"]?.kind == .null)
        let words = try setting.run([
            "kill", "acme-market", "weekend-offer", "--issuance-log", setting.path("bad.ndjson"),
        ])
        #expect(words.output.contains("at least 1 issued"))
        #expect(words.errors.contains("warning[issuance.unclear]"))
    }

    @Test func `A campaign that is named twice is told once`() throws {
        let answer = try setting.run(["kill", "acme-market", "news", "news", "weekend-offer"])
        #expect(answer.output.contains("news, weekend-offer of acme-market are off in version 2"))
    }

    // MARK: Addresses to wait for

    @Test func `An address that is never asked is told before anything is published`() throws {
        let before = try setting.tree()
        let kill = ["kill", "acme-market", "weekend-offer", "--verify-url"]
        expectRefusal(try setting.run(kill + ["http://example.com/config"]), 64, "edge.address")
        expectRefusal(
            try setting.run(
                kill + ["https://example.com/config"], ["GRONA_REHEARSAL": "1"]), 78,
            "rehearsal.real")
        #expect(try setting.tree() == before)
    }

    @Test func `Where nothing answers, the words say so and do not blame a cache`() throws {
        let answer = try setting.run([
            "kill", "acme-market", "weekend-offer", "--verify-url", "http://127.0.0.1:1/config",
            "--wait", "1s",
        ])
        #expect(answer.exit == .exited(75))
        #expect(answer.errors.contains("error[edge.stale]: "), "\(answer.errors)")
        #expect(answer.errors.contains("nothing answers at the address"))
        #expect(!answer.errors.contains("cache") && !answer.errors.contains("unreachable"))
        #expect(try setting.isOn("weekend-offer") == false)
    }
}
