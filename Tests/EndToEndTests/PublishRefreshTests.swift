import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `grona-publish refresh` with the real signer as its child.
@Suite struct PublishRefreshTests {
    @Test func `What is due is renewed once, and what is not is left alone`() throws {
        let setting = try RefreshSetting(["acme-market", "beta-shop"])
        let early = try setting.run(["refresh", "--all", "--json"], day: 1)
        #expect(early.exit == .exited(0), "\(early.errors)")
        #expect(
            try setting.column(early, "result")
                == ["acme-market": "not-due", "beta-shop": "not-due"])
        let plan = try setting.run(["refresh", "--all", "--dry-run", "--json"], day: 20)
        #expect(plan.exit == .exited(0), "\(plan.errors)")
        #expect(
            try setting.column(plan, "result")
                == ["acme-market": "would-renew", "beta-shop": "would-renew"])
        #expect(try setting.column(plan, "reason")["acme-market"] == "life")
        let late = try setting.run(["refresh", "--all", "--json"], day: 20)
        #expect(late.exit == .exited(0), "\(late.errors)")
        #expect(
            try setting.column(late, "result")
                == ["acme-market": "renewed", "beta-shop": "renewed"])
        #expect(try setting.column(late, "version")["beta-shop"] == "2")
        let again = try setting.run(["refresh", "--all", "--json"], day: 20)
        #expect(
            try setting.column(again, "result")
                == ["acme-market": "not-due", "beta-shop": "not-due"])
        let one = try setting.run(["refresh", "beta-shop", "--within", "30d", "--json"], day: 20)
        #expect(try setting.column(one, "result") == ["beta-shop": "renewed"])
    }

    @Test func `One run over one fault each: the others are renewed, each fault is named`() throws {
        let setting = try RefreshSetting([
            "aa-fine", "bb-missing", "cc-junk", "dd-rolled", "ee-unpublished", "ff-no-key",
            "gg-fine", "hh-bad-policy",
        ])
        let files = FileManager.default
        try files.removeItem(atPath: setting.config("bb-missing"))
        try setting.signing.folder.write("store/v1/mobile/workspaces/cc-junk/config", "junk")
        let old = try Data(contentsOf: URL(filePath: setting.config("dd-rolled")))
        try setting.publish("dd-rolled", 2)
        try old.write(to: URL(filePath: setting.config("dd-rolled")))
        _ = try setting.sign("ee-unpublished", 2)
        try files.removeItem(atPath: setting.path("keys/ff-no-key/ff-no-key.pem"))
        try setting.signing.folder.write("campaigns/hh-bad-policy/workspace.json", "{")
        try setting.add("ii-new")
        let answer = try setting.run(
            ["refresh", "--all", "--json", "--metrics", setting.path("refresh.prom")], day: 20)
        #expect(answer.exit == .exited(76), "\(answer.errors)")
        let results = try setting.column(answer, "result")
        #expect(
            results == [
                "aa-fine": "renewed", "bb-missing": "renewed", "cc-junk": "renewed",
                "dd-rolled": "renewed", "ee-unpublished": "failed", "ff-no-key": "failed",
                "gg-fine": "renewed", "hh-bad-policy": "failed", "ii-new": "new",
            ])
        let versions = try setting.column(answer, "version")
        #expect(versions["bb-missing"] == "2")
        #expect(versions["dd-rolled"] == "3")
        #expect(try setting.column(answer, "code")["ee-unpublished"] == "unpublished.newer")
        let metrics = try String(contentsOfFile: setting.path("refresh.prom"), encoding: .utf8)
        for line in [
            "grona_refresh_last_exit_code 76", "grona_refresh_renewed 5",
            #"grona_refresh_needs_a_hand{workspace="ee-unpublished",code="unpublished.newer"} 1"#,
            #"grona_refresh_alarms{workspace="dd-rolled",code="served.rolled-back"} 1"#,
            #"grona_refresh_alarms{workspace="cc-junk",code="served.unusable"} 1"#,
            #"grona_refresh_served_version{workspace="aa-fine"} 2"#,
        ] {
            #expect(metrics.contains(line + "\n"), "\(line)\n\(metrics)")
        }
        #expect(metrics.contains("grona_refresh_audit_head_info{workspace=\"aa-fine\",head="))
        #expect(metrics.contains("grona_refresh_last_success_timestamp_seconds 0\n"))
        // Published, it holds nothing up any more.
        let push = try setting.run(
            ["push", setting.path("ee-unpublished-2.json"), "--allow-aged"], day: 20)
        #expect(push.isSuccess, "\(push.errors)")
        let next = try setting.run(["refresh", "ee-unpublished", "--json"], day: 20)
        #expect(next.exit == .exited(0), "\(next.errors)")
        #expect(try setting.column(next, "result") == ["ee-unpublished": "renewed"])
    }

    @Test func `The signer is one process for the whole run`() throws {
        let setting = try RefreshSetting(["aa-shop", "bb-shop", "cc-shop"])
        let count = setting.path("starts")
        let script = setting.path("signer.sh")
        try setting.signing.folder.write(
            "signer.sh",
            """
            #!/bin/sh
            echo start >> \(count)
            exec \(setting.signing.program) "$@"
            """)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        let answer = try setting.run(["refresh", "--all", "--json", "--signer", script], day: 20)
        #expect(answer.exit == .exited(0), "\(answer.errors)")
        #expect(try setting.column(answer, "result").values.allSatisfy { $0 == "renewed" })
        #expect(try String(contentsOfFile: count, encoding: .utf8) == "start\n")
    }

    @Test(
        "A signer that is not there, is silent or talks nonsense costs one run and no number",
        arguments: [
            ("/nonexistent/signer", 75, "signer.unavailable"),
            ("/bin/false", 75, "signer.no-answer"),
            ("/bin/echo", 75, "signer.malformed"),
        ] as [(String, Int32, String)])
    func signerDown(_ signer: String, _ status: Int32, _ code: String) throws {
        let setting = try RefreshSetting(["aa-shop", "bb-shop", "cc-shop"])
        let down = try setting.run(["refresh", "--all", "--json", "--signer", signer], day: 20)
        #expect(down.exit == .exited(status), "\(down.errors)")
        #expect(try setting.column(down, "code").values.allSatisfy { $0 == code }, "\(down.output)")
        let up = try setting.run(["refresh", "--all", "--json"], day: 20)
        #expect(up.exit == .exited(0), "\(up.errors)")
        #expect(try setting.column(up, "version").values.allSatisfy { $0 == "2" })
    }

    @Test func `Near its end it is 1, and over it is renewed`() throws {
        let setting = try RefreshSetting(["aa-shop"])
        let near = try setting.run(
            ["refresh", "--all", "--json", "--signer", "/bin/false"], day: 25)
        #expect(near.exit == .exited(1), "\(near.errors)")
        let over = try setting.run(["refresh", "--all", "--json"], day: 31)
        #expect(over.exit == .exited(0), "\(over.errors)")
        #expect(try setting.column(over, "result") == ["aa-shop": "renewed"])
        #expect(try setting.column(over, "reason") == ["aa-shop": "expired"])
    }

    @Test func `An inventory that is empty or much shorter is not believed`() throws {
        let setting = try RefreshSetting(["aa-shop", "bb-shop"])
        let list = setting.path("list")
        func run(_ names: [String], _ more: [String] = []) throws -> Program.Answer {
            try setting.signing.folder.write("list", names.joined(separator: "\n") + "\n# end\n")
            return try setting.run(["refresh", "--inventory", list] + more, day: 1)
        }
        let many = ["aa-shop", "bb-shop"] + (0..<6).map { "shop-\($0)" }
        expectRefusal(try run([]), 65, "inventory.empty")
        // Of this, hardly anything can be read: it is nothing to go by.
        #expect(try run((0..<90).map { "other-\($0)" }).exit == .exited(78))
        // Those without a keyring fail; the list is taken.
        for name in many.dropFirst(2) { try setting.add(name) }
        #expect(try run(many).exit == .exited(0))
        expectRefusal(try run(["aa-shop", "bb-shop"]), 65, "inventory.shrunk")
        expectRefusal(try run(["aa-shop", "bb-shop"]), 65, "inventory.shrunk")
        let accepted = try run(["aa-shop", "bb-shop"], ["--accept-inventory"])
        #expect(accepted.exit == .exited(0), "\(accepted.errors)")
        #expect(try run(["aa-shop", "bb-shop"]).exit == .exited(0))
        expectRefusal(try run(["Not A Name"]), 65, "inventory.malformed")
        // Another list is counted by itself; one bad line is told, and the others are looked after.
        try setting.signing.folder.write("ring", "bb-shop\naa-shop bb-shop\n")
        let ring = try setting.run(
            ["refresh", "--inventory", setting.path("ring"), "--within", "400d", "--json"], day: 1)
        #expect(ring.exit == .exited(78), "\(ring.errors)")
        #expect(ring.errors.contains("inventory.malformed"))
        #expect(try setting.column(ring, "result") == ["bb-shop": "renewed"])
        #expect(try run(["aa-shop", "bb-shop"]).exit == .exited(0))
        // What would be refused is told by a run that only shows.
        try setting.signing.folder.write("list", "# none\n")
        let shown = try setting.run(["refresh", "--inventory", list, "--dry-run"], day: 1)
        #expect(shown.exit == .exited(65), "\(shown.errors)")
        #expect(shown.errors.contains("error[inventory.empty]"))
        // Memory of another release is not guessed at.
        let stores = setting.path("state/rehearsal/stores")
        let place = try #require(
            FileManager.default.contentsOfDirectory(atPath: stores).first { $0.count == 16 })
        try Data(#"{"format":9}"#.utf8).write(
            to: URL(filePath: "\(stores)/\(place)/refresh.json"))
        expectRefusal(try run(["aa-shop", "bb-shop"]), 78, "refresh.format")
        let twice = try setting.run(["refresh", "--all", "--json", "--metrics", "-"], day: 1)
        #expect(twice.exit == .exited(64), "\(twice.errors)")
    }

    @Test func `A folder that lost its policy, or is gone while its config is served, is told`()
        throws
    {
        let setting = try RefreshSetting(["aa-shop", "bb-shop", "cc-shop"])
        func run(_ command: String) throws -> Program.Answer {
            try setting.run([command, "--all", "--json"], day: 1)
        }
        let files = FileManager.default
        let bundles =
            #"{"workspace":"cc-shop","min_sdk":"1.0.0","ttl_seconds":900,"delivery":"bundle-only"}"#
        for loss in 0..<3 {
            switch loss {
            case 0: try files.removeItem(atPath: setting.path("campaigns/cc-shop/workspace.json"))
            case 1: try setting.signing.folder.write("campaigns/cc-shop/workspace.json", bundles)
            default: try files.removeItem(atPath: setting.path("campaigns/cc-shop"))
            }
            let refresh = try run("refresh")
            #expect(refresh.exit == .exited(78), "\(refresh.errors)")
            #expect(
                try setting.column(refresh, "code")["cc-shop"] == "workspace.left-out",
                "\(loss): \(refresh.errors)")
            let health = try run("health")
            #expect(health.exit == .exited(1), "\(health.errors)")
            #expect(
                try setting.column(health, "state")
                    == ["aa-shop": "ok", "bb-shop": "ok", "cc-shop": "left-out"])
        }
        // Served no more, it is given up.
        try files.removeItem(atPath: setting.config("cc-shop"))
        for command in ["refresh", "health"] {
            let answer = try run(command)
            #expect(answer.exit == .exited(0), "\(answer.errors)")
        }
        // A folder that never was a workspace is none.
        try setting.signing.folder.folder("campaigns/drafts")
        #expect(try run("refresh").exit == .exited(0))
    }

    @Test func `A clock behind the ledger is not believed`() throws {
        let setting = try RefreshSetting(["aa-shop"], served: false)
        let ahead = Int64(Date().timeIntervalSince1970) + 400 * RefreshSetting.day
        try setting.publish("aa-shop", 1, at: ahead)
        let metrics = setting.path("refresh.prom")
        func run(_ words: [String] = []) throws -> Program.Answer {
            try setting.run(["refresh", "--all", "--metrics", metrics] + words, day: nil)
        }
        expectRefusal(try run(), 75, "clock.untrusted")
        #expect(
            try String(contentsOfFile: metrics, encoding: .utf8)
                .contains(#"grona_refresh_failed{code="clock.untrusted"} 1"#))
        // A dry run says what the run would.
        let plan = try setting.run(["refresh", "--all", "--dry-run"], day: nil)
        #expect(plan.exit == .exited(75) && plan.errors.contains("error[clock.untrusted]"))
        let accepted = try setting.run(["refresh", "--all", "--accept-clock"], day: nil)
        #expect(accepted.errors.contains("warning[clock.untrusted]"))
        #expect(accepted.exit == .exited(0), "\(accepted.errors)")
        // What was answered for once, no later run asks about.
        let next = try run()
        #expect(next.exit == .exited(0), "\(next.errors)")
        // A clock that is ahead anew is not answered for.
        try setting.publish("aa-shop", 2, at: ahead + 86_400)
        expectRefusal(try run(), 75, "clock.untrusted")
    }

    @Test func `A success that a clock ahead of its time put down keeps no alert silent`() throws {
        let setting = try RefreshSetting(["aa-shop"])
        let metrics = setting.path("refresh.prom")
        func run(_ words: [String], day: Int64) throws -> String {
            _ = try setting.run(["refresh", "--all", "--metrics", metrics] + words, day: day)
            return try String(contentsOfFile: metrics, encoding: .utf8)
                .split(separator: "\n").first { $0.contains("last_success") && $0.first != "#" }
                .map(String.init) ?? ""
        }
        #expect(try run([], day: 20).hasSuffix(" \(RefreshSetting.start + 20 * 86_400)"))
        try setting.signing.folder.write("campaigns/aa-shop/workspace.json", "{")
        #expect(try run([], day: 21).hasSuffix(" \(RefreshSetting.start + 20 * 86_400)"))
        #expect(try run([], day: 19).hasSuffix(" 0"))
    }

    @Test func `Metrics that cannot be written stop no renewal`() throws {
        let setting = try RefreshSetting(["aa-shop"])
        let answer = try setting.run(
            ["refresh", "--all", "--json", "--metrics", setting.path("nowhere/refresh.prom")],
            day: 20)
        #expect(answer.exit == .exited(75), "\(answer.errors)")
        #expect(try setting.column(answer, "result") == ["aa-shop": "renewed"])
    }

    @Test func `A file of metrics that is ours is replaced, whatever became of it`() throws {
        let setting = try RefreshSetting(["aa-shop"])
        let path = setting.path("refresh.prom")
        func run() throws -> Program.Answer {
            try setting.run(["refresh", "--all", "--metrics", path], day: 1)
        }
        let large = "# grona-publish refresh\n" + String(repeating: "# \n", count: 6 << 20)
        for text in [large, ""] {
            try setting.signing.folder.write("refresh.prom", text)
            let answer = try run()
            #expect(answer.exit == .exited(0), "\(answer.errors)")
            #expect(
                try String(contentsOfFile: path, encoding: .utf8)
                    .contains("grona_refresh_last_exit_code 0"))
        }
        try setting.signing.folder.write("refresh.prom", "not ours\n")
        let answer = try run()
        #expect(answer.exit == .exited(75), "\(answer.errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "not ours\n")
    }

    @Test func `A second run at the same time ends at once`() throws {
        let setting = try RefreshSetting(["aa-shop"])
        #expect(try setting.run(["refresh", "--all"], day: 1).exit == .exited(0))
        let stores = setting.path("state/rehearsal/stores")
        let store = try #require(
            FileManager.default.contentsOfDirectory(atPath: stores).first { $0.count == 16 })
        let lock = try FileLock(
            at: FilePath("\(stores)/\(store)/refresh.lock"), waitingNanoseconds: 0)
        expectRefusal(try setting.run(["refresh", "--all"], day: 20), 75, "refresh.locked")
        _ = lock.unlock()
        #expect(try setting.run(["refresh", "--all"], day: 20).exit == .exited(0))
    }

    @Test func `How long everyone may be asleep is told`() throws {
        let setting = try RefreshSetting(["aa-shop"])
        let answer = try setting.run(
            ["refresh", "--all", "--explain", "--timer-period", "12h", "--json"], day: 20)
        #expect(answer.exit == .exited(0), "\(answer.errors)")
        let line = try #require(
            try setting.signing.json(answer)["workspaces"]?.elements.first { _ in true })
        let budget = try #require(line["budget"])
        let point = try #require(budget["renewal_point"]?.integer)
        // What check goes by, too: without the jitter.
        #expect(point == 15 * RefreshSetting.day)
        #expect(budget["asleep"]?.integer == point - 43_200 - 300 - 900)
        #expect(try setting.column(answer, "version") == ["aa-shop": "1"])
    }

    /// Timer, cache, `ttl_seconds` and 96 hours are four days and a half and 20 minutes.
    @Test(
        "A budget of less than 96 hours is told as too short",
        arguments: [
            ("2d", false), ("389999", false), ("390000", true), ("109h", true), ("15d", true),
        ] as [(String, Bool)])
    func operable(_ point: String, _ isOperable: Bool) throws {
        let setting = try RefreshSetting(["aa-shop"])
        let words = ["refresh", "--all", "--explain", "--timer-period", "12h", "--within", point]
        let answer = try setting.run(words + ["--json"], day: 1)
        let budget = try #require(
            try setting.signing.json(answer)["workspaces"]?.elements.first { _ in true }?["budget"])
        #expect(budget["operable"]?.boolean == isOperable)
        #expect(((budget["asleep"]?.integer ?? 0) >= 96 * 3_600) == isOperable)
        let text = try setting.run(words, day: 1)
        #expect(text.output.contains("too short") != isOperable, "\(text.output)")
        #expect(
            text.output.contains("asleep 4d is needed, renewed at 4d 12h") != isOperable,
            "\(text.output)")
    }

    @Test(
        "check and --explain say the same of a policy, before and after the first push",
        arguments: [
            ("8d", "", false), ("697199", "", false), ("697200", "", true),
            ("30d", "348599", false), ("30d", "348600", true), ("30d", "30d", true),
        ])
    func agreement(_ life: String, _ renewBefore: String, _ isOperable: Bool) throws {
        let setting = try RefreshSetting(["aa-shop"], served: false)
        let more = renewBefore.isEmpty ? "" : #","renew_before":"\#(renewBefore)""#
        try setting.signing.folder.write(
            "campaigns/aa-shop/workspace.json",
            #"{"workspace":"aa-shop","min_sdk":"1.0.0","ttl_seconds":900,"#
                + #""lifetimes":{"config":"\#(life)"}\#(more)}"#)
        let check = try setting.signing.run(["check", setting.path("campaigns/aa-shop")])
        #expect(check.isSuccess, "\(check.errors)")
        #expect(check.output.contains("workspace.unoperable") != isOperable, "\(check.output)")
        if !isOperable { #expect(check.output.contains("it takes 4d 50m"), "\(check.output)") }
        func explained() throws -> JSONElement {
            let answer = try setting.run(["refresh", "--all", "--explain", "--json"], day: 0)
            return try #require(
                try setting.signing.json(answer)["workspaces"]?.elements.first { _ in true }?[
                    "budget"], "\(answer.output)\(answer.errors)")
        }
        for isPlanned in [true, false] {
            let budget = try explained()
            #expect(budget["operable"]?.boolean == isOperable)
            #expect(budget["planned"]?.boolean == isPlanned)
            let text = try setting.run(["refresh", "--all", "--explain"], day: 0)
            #expect(text.exit == .exited(0), "\(text.errors)")
            #expect(
                text.output.contains("due in every run") == (renewBefore == life),
                "\(text.output)")
            #expect(text.errors.contains("'grona-sign check'") != isOperable, "\(text.errors)")
            if isPlanned { try setting.publish("aa-shop", 1) }
        }
    }

    /// Each row of the table by which a policy is chosen, as check, --explain and health see it.
    @Test func `The lifetimes of the handbook are what it says of them`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/GronaCommand/Handbook.docc/Renewal.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && $0.hasSuffix("d` |") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: [" ", "`"]) } }
        try #require(rows.count >= 4 && rows.allSatisfy { $0.count == 6 }, "\(rows)")
        func days(_ text: String) throws -> Int64 {
            try #require(Int64(text.trimmingCharacters(in: ["+", "d", " "])), "\(text)")
        }
        for row in rows {
            let life = try days(row[3])
            let before = row[2] == "half" ? life / 2 : try days(row[2])
            let setting = try RefreshSetting(["aa-shop"], served: false)
            try setting.signing.folder.write(
                "campaigns/aa-shop/workspace.json",
                #"{"workspace":"aa-shop","min_sdk":"1.0.0","ttl_seconds":900,"#
                    + #""renew_before":"\#(before)d","lifetimes":{"config":"\#(life)d"}}"#)
            let check = try setting.signing.run(["check", setting.path("campaigns/aa-shop")])
            #expect(!check.output.contains("workspace."), "\(row) \(check.output)")
            let told = try setting.run(["refresh", "--all", "--explain"], day: 0)
            #expect(told.output.contains(" \(row[4]) "), "\(row) \(told.output)")
            if row[2] != "half" {
                let asleep = before * 86_400 - 3_000
                #expect(
                    asleep
                        >= (try days(row[0].split(separator: ",").map(String.init)[0])
                            + days(row[1])) * 86_400)
            }
            // In the last moment before it is due.
            try setting.publish("aa-shop", 1)
            let ahead = try setting.run(
                ["health", "aa-shop", "--at", row[5]], day: life - before)
            #expect(ahead.exit == .exited(0), "\(row) \(ahead.errors)")
            let late = try setting.run(
                ["health", "aa-shop", "--at", "+\(try days(row[5]) + 1)d"], day: life - before)
            #expect(late.exit == .exited(1), "\(row)")
        }
    }

    @Test(
        "What is too short comes with the member to set, and setting it ends the warning",
        arguments: [("8d", "", "10d", ""), ("8d", "3d", "10d", "5d"), ("30d", "3d", "", "5d")])
    func remedy(_ life: String, _ before: String, _ nextLife: String, _ next: String) throws {
        let setting = try RefreshSetting(["aa-shop"], served: false)
        func check(_ life: String, _ before: String) throws -> String {
            let more = before.isEmpty ? "" : #","renew_before":"\#(before)""#
            try setting.signing.folder.write(
                "campaigns/aa-shop/workspace.json",
                #"{"workspace":"aa-shop","min_sdk":"1.0.0","ttl_seconds":900,"#
                    + #""lifetimes":{"config":"\#(life)"}\#(more)}"#)
            let path = setting.path("campaigns/aa-shop")
            return try setting.signing.run(["check", path]).output
        }
        let told = try check(life, before)
        #expect(told.contains("\"renew_before\" to \"\(next)\"") == !next.isEmpty, "\(told)")
        #expect(told.contains("\"lifetimes\" to \"\(nextLife)\"") == !nextLife.isEmpty, "\(told)")
        let after = try check(nextLife.isEmpty ? life : nextLife, next)
        #expect(!after.contains("workspace.unoperable"), "\(after)")
    }
}
