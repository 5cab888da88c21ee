import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// What refresh, status and health say on a bad day, to whom, and how often.
@Suite struct RefreshWordsTests {
    private let setting: RefreshSetting
    private static let names = ["aa-shop", "bb-shop", "cc-shop"]

    init() throws {
        setting = try RefreshSetting(Self.names)
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: setting.path(name))
    }

    private func lines(_ answer: Program.Answer, _ text: String) -> [String] {
        answer.errors.split(separator: "\n").map(String.init).filter { $0.contains(text) }
    }

    @Test func `What many workspaces have is told once, with how many more`() throws {
        let answer = try setting.run(
            ["refresh", "--all", "--signer", "/nowhere/grona-sign", "--jobs", "1"], day: 20)
        #expect(answer.exit == .exited(75), "\(answer.errors)")
        let told = lines(answer, "error[signer.unavailable]")
        #expect(told.count == 2, "\(answer.errors)")
        #expect(told.last?.contains("the same for 2 more workspaces: ") ?? false, "\(told)")
        #expect(answer.output.contains("3 workspaces in "))
        #expect(answer.output.contains("3 need a hand"))
        let one = try setting.run(
            ["refresh", "aa-shop", "--signer", "/nowhere/grona-sign"], day: 20)
        #expect(one.output.contains("1 workspace in ") && one.output.contains("1 needs a hand"))
        // The answer has each.
        let json = try setting.run(
            ["refresh", "--all", "--json", "--signer", "/nowhere/grona-sign"], day: 20)
        #expect(try setting.column(json, "code").values.allSatisfy { $0 == "signer.unavailable" })

        try remove("store/v1")
        let health = try setting.run(["health", "--all"], day: 1)
        #expect(lines(health, "error[served.missing]").count == 2, "\(health.errors)")
    }

    @Test func `Status tells that the last try failed, until something newer is published`() throws
    {
        let failed = try setting.run(["refresh", "aa-shop", "--signer", "false"], day: 20)
        #expect(!failed.isSuccess)
        #expect(failed.errors.contains("help: the same call by hand shows what is wrong"))
        #expect(failed.errors.contains("false renew --batch --now"), "\(failed.errors)")
        let due = try setting.run(["status", "aa-shop"], day: 20)
        #expect(due.exit == .exited(1), "\(due.output)")
        #expect(due.output.contains("the last try to sign it anew failed, at "))
        #expect(due.output.contains("(signer.no-answer)"))
        #expect(due.output.contains("$ grona-publish refresh aa-shop"))
        // The others are well, and so is this one afterwards.
        #expect(try setting.run(["status", "bb-shop"], day: 20).exit == .exited(0))
        #expect(try setting.run(["refresh", "aa-shop"], day: 20).isSuccess)
        let after = try setting.run(["status", "aa-shop"], day: 20)
        #expect(after.exit == .exited(0) && !after.output.contains("signer.no-answer"))
        // What is not due has time: it is told, and is no alarm.
        _ = try setting.run(
            ["refresh", "bb-shop", "--within", "400d", "--signer", "false"], day: 1)
        let early = try setting.run(["status", "bb-shop"], day: 1)
        #expect(early.exit == .exited(0), "\(early.output)")
        #expect(early.output.contains("(signer.no-answer)"))
    }

    @Test func `What was wrong and is mended is a sentence`() throws {
        try FileManager.default.removeItem(atPath: setting.config("aa-shop"))
        let answer = try setting.run(["refresh", "aa-shop"], day: 1)
        #expect(answer.exit == .exited(76), "\(answer.errors)")
        let told = lines(answer, "[served.rolled-back]")
        #expect(told.count == 1, "\(answer.errors)")
        #expect(told.first?.contains("it is mended: version ") ?? false, "\(told)")
    }

    @Test func `Who has no copy of a keyring is told where the keyring is`() throws {
        try remove("keys/bb-shop/keyring.json")
        for words in [
            ["status", "bb-shop"], ["refresh", "bb-shop"], ["health", "bb-shop"],
            ["kill", "bb-shop", "news"],
        ] {
            let answer = try setting.run(words, day: 1)
            let text = answer.errors + answer.output
            #expect(text.contains("keyring.missing"), "\(words): \(text)")
            #expect(text.contains("install -m 0644"), "\(words): \(text)")
            #expect(!text.contains("keys generate"), "\(words): \(text)")
        }
    }

    @Test func `A folder without any workspace is an inventory that is empty`() throws {
        #expect(try setting.run(["refresh", "--all"], day: 1).isSuccess)
        for name in Self.names { try remove("campaigns/\(name)") }
        let answer = try setting.run(["refresh", "--all"], day: 1)
        expectRefusal(answer, 65, "inventory.empty")
        #expect(answer.errors.contains("and 3 were there in the last run"), "\(answer.errors)")
        #expect(!answer.errors.contains("init"))
        let health = try setting.run(["health", "--all"], day: 1)
        #expect(health.exit == .exited(1) && !health.errors.contains("grona-sign init"))
    }

    @Test func `A list that is a little shorter is a warning, once`() throws {
        try setting.signing.folder.write("names", "aa-shop\nbb-shop\ncc-shop\n")
        let words = ["refresh", "--inventory", setting.path("names")]
        let whole = try setting.run(words, day: 1)
        #expect(whole.exit == .exited(0) && !whole.errors.contains("inventory."))
        try setting.signing.folder.write("names", "aa-shop\nbb-shop\n")
        let shorter = try setting.run(words, day: 1)
        #expect(shorter.exit == .exited(0), "\(shorter.errors)")
        #expect(shorter.errors.contains("warning[inventory.shorter]"), "\(shorter.errors)")
        #expect(try !setting.run(words, day: 1).errors.contains("inventory.shorter"))
    }

    @Test func `What was never published is new where a ledger says so`() throws {
        try setting.add("dd-shop")
        let known = try setting.run(["health", "--all", "--json"], day: 1)
        #expect(known.exit == .exited(0), "\(known.errors)")
        #expect(try setting.column(known, "state")["dd-shop"] == "new")
        // A monitor has none, and cannot tell it from one that is gone.
        let alone = ["--state", setting.path("empty")]
        let monitor = try setting.run(["health", "--all"] + alone, day: 1)
        #expect(monitor.exit == .exited(1))
        #expect(monitor.errors.contains("where it was never published: "), "\(monitor.errors)")
        // What is gone is a fault wherever it is looked at.
        try remove("campaigns/dd-shop")
        try remove("keys/dd-shop")
        try FileManager.default.removeItem(atPath: setting.config("cc-shop"))
        for more in [[], alone] {
            #expect(try setting.run(["health", "--all"] + more, day: 1).exit == .exited(1))
        }
    }

    @Test func `A monitor misses a campaign folder by its keyring`() throws {
        let alone = ["health", "--all", "--json", "--state", setting.path("empty")]
        #expect(try setting.run(alone, day: 1).exit == .exited(0))
        try remove("campaigns/cc-shop")
        let answer = try setting.run(alone, day: 1)
        #expect(answer.exit == .exited(1), "\(answer.errors)")
        #expect(try setting.column(answer, "code")["cc-shop"] == "workspace.left-out")
        // What is served nowhere is nobody's.
        try FileManager.default.removeItem(atPath: setting.config("cc-shop"))
        #expect(try setting.run(alone, day: 1).exit == .exited(0))
    }

    @Test func `Health as JSON says that the ledger cannot be read`() throws {
        func ok(_ answer: Program.Answer) throws -> Bool? {
            try setting.signing.json(answer)["ok"]?.boolean
        }
        #expect(try ok(try setting.run(["health", "--all", "--json"], day: 1)) == true)
        let stores = setting.path("state/rehearsal/stores")
        let place = try #require(
            FileManager.default.contentsOfDirectory(atPath: stores).first { $0.count == 16 })
        try Data("{\"format\":9}\n".utf8).write(
            to: URL(filePath: "\(stores)/\(place)/ledger.ndjson"))
        let broken = try setting.run(["health", "--all", "--json"], day: 1)
        #expect(broken.exit == .exited(1))
        #expect(try ok(broken) == false)
        let code = try setting.signing.json(broken)["ledger"]?["code"]?.string
        #expect(code?.hasPrefix("log.") ?? false, "\(broken.output)")
    }

    @Test func `A config of a time to come is a remark in each of them`() throws {
        try setting.publish("aa-shop", 2, at: RefreshSetting.start + 10 * RefreshSetting.day)
        for words in [["refresh"], ["status"], ["health"]] {
            let answer = try setting.run(words + ["aa-shop"], day: 1)
            #expect(answer.exit == .exited(0), "\(words): \(answer.errors)")
            let text = answer.errors + answer.output
            #expect(text.contains("served.future"), "\(words): \(text)")
            #expect(text.contains("the signer's clock was ahead"), "\(words): \(text)")
            let later = try setting.run(words + ["aa-shop"], day: 11)
            #expect(!(later.errors + later.output).contains("served.future"), "\(words)")
        }
        #expect(
            try setting.run(["help", "served.future"], day: nil).output.contains("none of its own"))
    }

    @Test func `The signer's file is named`() throws {
        let path = setting.path("keys/aa-shop/aa-shop.pem")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let answer = try setting.run(["refresh", "aa-shop"], day: 20)
        #expect(
            lines(answer, "key.unsafe-file").first?.contains("the signer refused: \(path): ")
                ?? false, "\(answer.errors)")
    }
}
