import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// What `grona-publish refresh` leaves for alerts, and for who restores the signer.
@Suite struct RefreshMetricsTests {
    private func metrics(_ setting: RefreshSetting) throws -> [String] {
        try String(contentsOfFile: setting.path("refresh.prom"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    private func refresh(
        _ setting: RefreshSetting, _ words: [String] = ["--all"], day: Int64
    ) throws -> Program.Answer {
        try setting.run(
            ["refresh", "--metrics", setting.path("refresh.prom")] + words, day: day)
    }

    /// The audit head of each workspace.
    private func heads(_ setting: RefreshSetting) throws -> [String: String] {
        var heads: [String: String] = [:]
        for line in try metrics(setting) where line.hasPrefix("grona_refresh_audit_head_info{") {
            let parts = line.split(separator: "\"").map(String.init)
            try #require(parts.count == 5 && parts[2] == ",head=", "\(line)")
            heads[parts[1]] = parts[3]
        }
        return heads
    }

    private func verify(
        _ setting: RefreshSetting, _ name: String, _ head: String
    ) throws -> Program.Answer {
        try setting.signing.run(
            ["audit", "verify", "--workspace", name, "--head", head],
            environment: ["GRONA_REHEARSAL": "1"])
    }

    @Test func `Each workspace has the head of its own log, also after runs without renewals`()
        throws
    {
        let setting = try RefreshSetting(["aa-shop", "bb-shop", "cc-shop"])
        #expect(try refresh(setting, day: 1).exit == .exited(0))
        #expect(try heads(setting).isEmpty)
        #expect(try refresh(setting, day: 20).exit == .exited(0))
        let all = try heads(setting)
        #expect(all.keys.sorted() == ["aa-shop", "bb-shop", "cc-shop"])
        for (name, head) in all {
            let answer = try verify(setting, name, head)
            #expect(answer.isSuccess, "\(name): \(answer.errors)")
        }
        let other = try verify(setting, "aa-shop", all["bb-shop"] ?? "")
        #expect(!other.isSuccess)
        #expect(try refresh(setting, day: 20).exit == .exited(0))
        #expect(try heads(setting) == all)
        // One alone by hand moves its own, and keeps those of the others.
        let one = try refresh(setting, ["bb-shop", "--within", "31d"], day: 21)
        #expect(one.exit == .exited(0), "\(one.errors)")
        let next = try heads(setting)
        #expect(next["bb-shop"] != all["bb-shop"])
        #expect(next["aa-shop"] == all["aa-shop"] && next["cc-shop"] == all["cc-shop"])
        #expect(try verify(setting, "bb-shop", next["bb-shop"] ?? "").isSuccess)
        // Whose keyring is gone is nobody's any more.
        let files = FileManager.default
        try files.removeItem(atPath: setting.path("keys/cc-shop"))
        try files.removeItem(atPath: setting.path("campaigns/cc-shop"))
        #expect(try refresh(setting, day: 21).exit == .exited(0))
        #expect(try heads(setting).keys.sorted() == ["aa-shop", "bb-shop"])
    }

    /// Whatever keeps a run from looking at anything, the age of its metrics does not hide it.
    @Test(
        "Each end of a run is in its metrics",
        arguments: [
            ("no store", "settings.store"), ("store gone", "store.missing"),
            ("store is a file", "store."), ("bad address", "store."),
            ("no campaigns", "input."), ("ledger elsewhere", "ledger.missing"),
            ("no inventory", "input."), ("later release", "refresh.format"),
            ("keys gone", "input."), ("bad setting", "usage.value"),
        ])
    func ends(_ what: String, _ code: String) throws {
        let setting = try RefreshSetting(["aa-shop"])
        try #require(
            try refresh(setting, ["aa-shop", "--within", "31d"], day: 1).exit == .exited(0))
        let before = try heads(setting)
        try #require(before.count == 1)
        let files = FileManager.default
        var environment = setting.environment()
        var words = ["refresh", "--all"]
        switch what {
        case "no store": environment["GRONA_STORE"] = nil
        case "store gone": try files.removeItem(atPath: setting.path("store"))
        case "store is a file":
            try files.removeItem(atPath: setting.path("store"))
            try setting.signing.folder.write("store", "")
        case "bad address": environment["GRONA_STORE"] = "gopher://example.com/x"
        case "no campaigns": environment["GRONA_CAMPAIGNS"] = setting.path("elsewhere")
        case "ledger elsewhere":
            words += ["--ledger", setting.path("state/rehearsal/unmounted/ledger.ndjson")]
        case "no inventory": words = ["refresh", "--inventory", setting.path("unmounted")]
        case "later release":
            let stores = setting.path("state/rehearsal/stores")
            let store = try #require(try files.contentsOfDirectory(atPath: stores).first)
            try Data(#"{"format":2}"#.utf8).write(
                to: URL(filePath: "\(stores)/\(store)/refresh.json"))
        case "keys gone": environment["GRONA_KEYS"] = setting.path("elsewhere")
        default: environment["GRONA_SIGNER_TIMEOUT"] = "soon"
        }
        let answer = try Program.run(
            [setting.publisher] + words + [
                "--metrics", setting.path("refresh.prom"), "--now",
                "\(RefreshSetting.start + 20 * RefreshSetting.day)",
            ], environment: environment)
        guard case .exited(let status) = answer.exit, status != 0 else {
            Issue.record("\(answer.exit) \(answer.errors)")
            return
        }
        let lines = try metrics(setting)
        #expect(lines.contains("grona_refresh_last_exit_code \(status)"), "\(answer.errors)")
        #expect(
            lines.contains {
                $0.hasPrefix("grona_refresh_stopped{code=\"\(code)") && $0.hasSuffix(" 1")
            }, "\(lines) \(answer.errors)")
        // When a run was last a success is known all the same; else an alert would begin at once.
        #expect(
            lines.contains(
                "grona_refresh_last_success_timestamp_seconds"
                    + " \(RefreshSetting.start + RefreshSetting.day)"), "\(lines)")
        #expect(try heads(setting) == before)
        #expect(
            lines.contains(
                "grona_refresh_last_run_timestamp_seconds"
                    + " \(RefreshSetting.start + 20 * RefreshSetting.day)"))
    }

    @Test func `A run that another one holds up leaves the metrics to that one`() throws {
        let setting = try RefreshSetting(["aa-shop"])
        try #require(try refresh(setting, day: 1).exit == .exited(0))
        let before = try metrics(setting)
        let stores = setting.path("state/rehearsal/stores")
        let store = try #require(
            try FileManager.default.contentsOfDirectory(atPath: stores).first)
        let lock = try FileLock(
            at: FilePath("\(stores)/\(store)/refresh.lock"), waitingNanoseconds: 0)
        expectRefusal(try refresh(setting, day: 20), 75, "refresh.locked")
        _ = lock.unlock()
        #expect(try metrics(setting) == before)
    }

    /// When a run was last a success: all that could be renewed was.
    @Test(
        "What waits for a person by itself is no failure of the runs, and anything else is",
        arguments: [
            ("nothing", 0, true), ("unpublished", 1, true), ("bad policy", 78, true),
            ("no keyring", 78, true), ("left out", 78, true), ("mended", 76, true),
            ("no key", 75, false), ("all bad", 78, false),
        ] as [(String, Int32, Bool)])
    func success(_ what: String, _ status: Int32, _ isSuccess: Bool) throws {
        let setting = try RefreshSetting(["aa-shop", "bb-shop"])
        let files = FileManager.default
        switch what {
        case "unpublished": _ = try setting.sign("aa-shop", 2)
        case "bad policy": try setting.signing.folder.write("campaigns/aa-shop/workspace.json", "{")
        case "no keyring": try files.removeItem(atPath: setting.path("keys/aa-shop/keyring.json"))
        case "left out":
            try #require(try refresh(setting, day: 1).exit == .exited(0))
            try files.removeItem(atPath: setting.path("campaigns/aa-shop"))
        case "mended":
            try setting.signing.folder.write("store/v1/mobile/workspaces/aa-shop/config", "junk")
        case "no key":
            try files.removeItem(atPath: setting.path("keys/aa-shop/aa-shop.pem"))
        case "all bad":
            for name in setting.names {
                try setting.signing.folder.write("campaigns/\(name)/workspace.json", "{")
            }
        default: break
        }
        let answer = try refresh(setting, day: 20)
        #expect(answer.exit == .exited(status), "\(answer.errors)")
        let now = RefreshSetting.start + 20 * RefreshSetting.day
        #expect(
            try metrics(setting).contains("grona_refresh_last_success_timestamp_seconds \(now)")
                == isSuccess)
    }

    @Test func `Metrics that cannot be written are named as such`() throws {
        let setting = try RefreshSetting(["aa-shop"])
        let answer = try setting.run(
            ["refresh", "--all", "--metrics", setting.path("store")], day: 20)
        #expect(answer.exit == .exited(75), "\(answer.errors)")
        #expect(
            answer.errors.contains("output.not-a-file") && answer.output.contains("1 renewed")
                && answer.errors.contains("the metrics were not written")
                && answer.errors.contains("the run did its work"), "\(answer.errors)")
        let page = try setting.run(["help", "output.not-a-file"], day: nil)
        #expect(page.isSuccess, "\(page.errors)")
    }
}
