import Foundation
import Glibc
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// What a kill that failed says of the offer, and what a person finds afterwards.
@Suite struct PublishStandingTests {
    private let setting: PublishSetting
    private static let wrapper = [
        "GRONA_PUBLISH_AS": "sudo -u grona-publish /x/publish",
        "GRONA_SIGN_AS": "sudo /x/as-signer",
    ]

    init() throws {
        setting = try PublishSetting()
        try setting.publish(1)
    }

    private func lastLines(_ answer: Program.Answer, _ count: Int = 2) -> [String] {
        answer.errors.split(separator: "\n").suffix(count).map(String.init)
    }

    /// Runs while nobody can swap what is served: it is signed and claimed by then.
    private func whileLocked<Value>(_ body: () throws -> Value) throws -> Value {
        let folder = setting.path("public/v1/mobile/workspaces/acme-market")
        let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY)
        try #require(lock >= 0)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX) == 0)
        return try body()
    }

    @Test func `A kill that is signed and not published says that the offer is still on`() throws {
        let failed = try whileLocked { try setting.run(["kill", "acme-market", "news"]) }
        #expect(failed.exit == .exited(75), "\(failed.errors)")
        let lines = lastLines(failed)
        let on = "error[kill.not-done]: news of acme-market is STILL ON in version 1, which file:"
        #expect(lines.first?.contains(on) ?? false, "\(failed.errors)")
        let waits = "help: version 2, which switches it off, is signed and waits on this host; the"
        #expect(lines.last?.contains(waits) ?? false, "\(failed.errors)")

        let status = try setting.run(["status", "acme-market"])
        #expect(status.exit == .exited(1))
        #expect(status.output.contains("a kill waits: news is STILL ON, and version 2"))
        #expect(status.output.contains("$ grona-publish refresh acme-market\n"))

        let late = try whileLocked { try setting.run(["refresh", "acme-market"]) }
        #expect(late.exit == .exited(75), "\(late.errors)")
        #expect(
            late.errors.contains("error[kill.not-done]: acme-market: news is STILL ON in version 1")
        )

        try setting.killed(["news"])
        #expect(try setting.isOn("news") == false)
        #expect(try setting.run(["status", "acme-market"]).isSuccess)
    }

    @Test func `A kill that was never signed says so`() throws {
        let failed = try setting.run(["kill", "acme-market", "news", "--signer", "false"])
        expectRefusal(failed, 70, "signer.no-answer")
        #expect(
            failed.errors.contains(
                "as the user who runs this: false renew --batch --allow-disable </dev/null"))
        #expect(lastLines(failed).first?.contains("news of acme-market is STILL ON") ?? false)
        #expect(lastLines(failed).last?.contains("nothing that was signed for it waits") ?? false)
        // As JSON it is one line.
        let json = try setting.run(["kill", "acme-market", "news", "--signer", "false", "--json"])
        let errors = json.errors.split(separator: "\n").filter { $0.hasPrefix(#"{"error":"#) }
        #expect(json.output.isEmpty && errors.count == 1)
        #expect(errors.first?.contains("kill.not-done") ?? false)
        // One of two is off already.
        try setting.killed(["news"])
        let other = try setting.run(
            ["kill", "acme-market", "news", "weekend-offer", "--signer", "false"])
        #expect(other.errors.contains("]: weekend-offer of acme-market is STILL ON in version 2"))
        // Nobody is told that of a campaign that is not there, or of a wrong command line.
        for words in [["nothing-of-that-name"], []] {
            let wrong = try setting.run(["kill", "acme-market"] + words)
            #expect(!wrong.isSuccess && !wrong.errors.contains("STILL ON"), "\(wrong.errors)")
        }
    }

    @Test func `A rollback that fails says what is served`() throws {
        try setting.signing.folder.write(
            "campaigns/acme-market/more.json",
            #"{"id":"more","kind":"banner","enabled":true,"unit":"device","#
                + #""placements":["home"],"variants":[{"id":"only","weight":10000}]}"#)
        try setting.publish(2)
        let failed = try whileLocked {
            try setting.run(["rollback", "acme-market", "--to-version", "1"])
        }
        #expect(failed.exit == .exited(75), "\(failed.errors)")
        #expect(
            failed.errors.contains("error[change.not-done]: devices get version 2, which file:"))
        #expect(failed.errors.contains("version 3 was signed by a run on this host and waits"))
        #expect(
            try setting.run(["rollback", "acme-market", "--to-version", "1"]).isSuccess)
    }

    @Test func `A config that was signed and not pushed names who can help`() throws {
        _ = try setting.signing.config(2)
        let kill = ["kill", "acme-market", "news"]
        let failed = try setting.run(kill)
        expectRefusal(failed, 65, "transition.stale-source")
        #expect(
            failed.errors.contains("'grona-sign audit withdraw acme-market 2 --reason TEXT'"))
        #expect(lastLines(failed).first?.contains("STILL ON in version 1") ?? false)

        let told = try setting.run(kill, Self.wrapper)
        #expect(told.errors.contains("help: wake who may do one of two things"), "\(told.errors)")
        #expect(
            told.errors.contains(
                "'sudo /x/as-signer audit withdraw acme-market 2 --reason TEXT'"))
        let withdrawn = try setting.signing.run([
            "audit", "withdraw", "acme-market", "2", "--reason", "a mistake",
        ])
        #expect(withdrawn.isSuccess, "\(withdrawn.errors)")
        #expect(try setting.run(kill, Self.wrapper).isSuccess)
        #expect(try setting.isOn("news") == false)
    }

    // MARK: Commands that can be typed

    /// The shipped wrapper, with its settings here and without the program behind it.
    private func wrapper() throws -> String {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../scripts/systemd/publish")
        var text = try String(contentsOf: path, encoding: .utf8)
        for (old, new) in [
            (". /usr/local/libexec/grona/settings.sh", "read_settings() { GRONA_STORE=file:/x; }"),
            ("exec /usr/local/bin/grona-publish", "echo accepted"),
        ] {
            try #require(text.contains(old))
            text = text.replacingOccurrences(of: old, with: new)
        }
        try setting.signing.folder.write("publish", text)
        return setting.path("publish")
    }

    private func commands(_ answer: Program.Answer) throws -> [String] {
        let lines = try #require(try setting.signing.json(answer)["workspaces"], "\(answer.errors)")
        return lines.elements.flatMap { line in
            (line["findings"]?.elements).map {
                $0.flatMap { ($0["commands"]?.elements).map { $0.compactMap(\.string) } ?? [] }
            } ?? []
        }
    }

    @Test func `Each command that status names is one that its reader may type`() throws {
        let wrapper = try wrapper()
        let typed = try #require(Self.wrapper["GRONA_PUBLISH_AS"])
        let day: Int64 = 86_400
        let now = Int64(Date().timeIntervalSince1970)
        var seen: Set<String> = []
        func look(_ label: String, _ more: [String] = []) throws {
            let found = try commands(
                try setting.run(["status", "acme-market", "--json"] + more, Self.wrapper))
            #expect(!found.isEmpty, "\(label)")
            for command in found {
                #expect(command.hasPrefix(typed + " "), "\(label): \(command)")
                let words = command.dropFirst(typed.count + 1).split(separator: " ").map(
                    String.init)
                let answer = try Program.run(["/bin/sh", wrapper] + words, environment: [:])
                #expect(
                    answer.output.hasPrefix("accepted"), "\(label): \(command): \(answer.errors)")
                seen.insert(words.first ?? "")
            }
        }
        try look("expiring", ["--now", "\(now + 25 * day)"])
        try look("expired", ["--now", "\(now + 31 * day)"])
        _ = try whileLocked { try setting.run(["kill", "acme-market", "news"]) }
        try look("a kill waits")
        try setting.killed(["news"])
        _ = try setting.run(["kill", "acme-market", "weekend-offer", "--signer", "false"])
        try look("the signer failed")
        try Data("{}".utf8).write(to: URL(filePath: setting.served))
        try look("none of ours")
        try setting.remove("public/v1/mobile/workspaces/acme-market/config")
        try look("missing")
        #expect(seen.contains("refresh") && seen.contains("recover"), "\(seen)")
        // The same words by people who have the program itself.
        let own = try commands(try setting.run(["status", "acme-market", "--json"]))
        #expect(own.allSatisfy { $0.hasPrefix("grona-publish ") }, "\(own)")
    }
}
