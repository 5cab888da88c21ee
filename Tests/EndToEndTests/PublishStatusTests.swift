import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `grona-publish status` and `next-version` over a store in which things went wrong.
@Suite struct PublishStatusTests {
    private let setting: SignSetting
    private let workspaces = "store/v1/mobile/workspaces"

    init() throws {
        setting = try SignSetting()
        try setting.folder.folder("store")
        let file = try setting.config(1)
        let answer = try publish(["push", file])
        try #require(answer.isSuccess, "\(answer.errors)")
    }

    private func publish(_ words: [String]) throws -> Program.Answer {
        let program = Program.folder.appending("grona-publish").description
        return try Program.run(
            [program] + words,
            environment: setting.environment(["GRONA_STORE": "file:" + setting.path("store")]))
    }

    /// The state of each workspace.
    private func states(_ answer: Program.Answer) throws -> [String: String] {
        var states: [String: String] = [:]
        for line in try #require(try setting.json(answer)["workspaces"]).elements {
            states[line["workspace"]?.string ?? ""] = line["state"]?.string ?? ""
        }
        return states
    }

    @Test func `One workspace that cannot be read does not hide the others`() throws {
        let fine = try publish(["status", "--json"])
        #expect(fine.exit == .exited(0))
        #expect(try states(fine) == ["acme-market": "ok"])
        try setting.folder.folder("\(workspaces)/grona-probe")
        #expect(try publish(["status"]).exit == .exited(0))
        try setting.folder.folder("\(workspaces)/stranger")
        try setting.folder.write("\(workspaces)/stray-file", "x")
        let answer = try publish(["status", "--json"])
        #expect(answer.exit == .exited(1))
        #expect(
            try states(answer)
                == ["acme-market": "ok", "stranger": "unreadable", "stray-file": "unreadable"])
        #expect(try publish(["status", "stranger"]).exit == .exited(78))
    }

    @Test func `A store that was emptied is not green`() throws {
        try FileManager.default.removeItem(atPath: setting.path("store/v1"))
        let answer = try publish(["status", "--json"])
        #expect(answer.exit == .exited(1))
        #expect(try states(answer) == ["acme-market": "missing"])
    }

    @Test(arguments: [5, 6])
    func `Of many alarms of one kind the first five are shown`(_ count: Int) throws {
        for number in 2..<(2 + count) {
            try setting.folder.write(
                "\(workspaces)/acme-market/versions/000000000000000\(number).json", "x")
        }
        let answer = try publish(["next-version", "acme-market"])
        #expect(answer.exit == .exited(0))
        #expect(answer.output == "\(2 + count)\n")
        #expect(answer.errors.components(separatedBy: "warning[claim.untrusted]").count == 6)
        #expect(answer.errors.contains("and 1 more like it") == (count == 6))
        let status = try publish(["status", "--json"])
        let line = try #require(
            try setting.json(status)["workspaces"]?.elements.first { _ in true })
        #expect(line["alarms"]?.count == 1)
    }

    @Test func `Without a config URL nothing was rolled back`() throws {
        try setting.writeCampaigns(policy: #","delivery":"bundle-only""#)
        try FileManager.default.removeItem(atPath: setting.path("store/v1"))
        let answer = try publish(["next-version", "acme-market"])
        #expect(answer.exit == .exited(0))
        #expect(!answer.errors.contains("served.rolled-back"))
    }

    // MARK: The page and the metrics

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: setting.path(name))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `A page and metrics are written for everyone, and again in place of themselves`()
        throws
    {
        let words = [
            "status", "--html", setting.path("page.html"), "--metrics", setting.path("m.prom"),
        ]
        for _ in 0..<2 {
            let answer = try publish(words)
            #expect(answer.exit == .exited(0), "\(answer.errors)")
            #expect(answer.output.contains("acme-market"))
        }
        #expect(try mode("page.html") == 0o644)
        #expect(try mode("m.prom") == 0o644)
        let page = try String(contentsOfFile: setting.path("page.html"), encoding: .utf8)
        #expect(page.contains("Nothing needs a hand") && page.contains("id=\"w-acme-market\""))
        #expect(page.contains("acme-market-2026-10") && page.contains("current"))
        let metrics = try String(contentsOfFile: setting.path("m.prom"), encoding: .utf8)
        #expect(metrics.contains("grona_workspace_served_version{workspace=\"acme-market\"} 1\n"))
    }

    @Test(arguments: ["--html", "--metrics"])
    func `What is not ours is replaced only with force, a link not even then`(
        _ option: String
    ) throws {
        try setting.folder.write("other", "a file of somebody")
        let words = ["status", option, setting.path("other")]
        expectRefusal(try publish(words), 73, "output.exists")
        #expect(try publish(words + ["--force"]).exit == .exited(0))
        #expect(try publish(words).exit == .exited(0))
        try FileManager.default.createSymbolicLink(
            atPath: setting.path("link"), withDestinationPath: setting.path("other"))
        #expect(
            try publish(["status", option, setting.path("link"), "--force"]).exit == .exited(73))
    }

    @Test func `A page does not take the place of metrics, nor metrics that of a page`() throws {
        #expect(try publish(["status", "--metrics", setting.path("m")]).exit == .exited(0))
        #expect(try publish(["status", "--html", setting.path("p")]).exit == .exited(0))
        expectRefusal(
            try publish(["status", "--html", setting.path("m")]), 73, "output.exists")
        expectRefusal(
            try publish(["status", "--metrics", setting.path("p")]), 73, "output.exists")
    }

    @Test(arguments: [(1_001, false), (1_002, true), (9_007_199_254_740_991, true)])
    func `A number that nobody comes to in one step is an alarm, and the last one is`(
        _ version: Int64, _ isAlarm: Bool
    ) throws {
        let file = setting.path("far.json")
        let signed = try setting.run([
            "config", setting.campaigns, "--version", "\(version)", "--allow-jump", "\(version)",
            "-o", file,
        ])
        try #require(signed.isSuccess, "\(signed.errors)")
        let other = ["--state", setting.path("other-state")]
        let pushed = try publish(["push", file, "--allow-jump", "\(version)"] + other)
        try #require(pushed.isSuccess, "\(pushed.errors)")
        let answer = try publish(["status"])
        #expect(answer.exit == .exited(isAlarm ? 1 : 0), "\(answer.output)")
        #expect(answer.output.contains("(version.jump)") == isAlarm)
        let isLast = version > 10_000
        #expect(answer.output.contains("(version.exhausted)") == isLast)
        #expect(try publish(["status"] + other).exit == .exited(isLast ? 1 : 0))
        if isLast {
            let next = try publish(["next-version", "acme-market"])
            expectRefusal(next, 65, "version.exhausted")
            #expect(next.errors.contains("another workspace"))
        }
    }

    @Test func `On standard output the page stands alone`() throws {
        let page = try publish(["status", "--html", "-"])
        #expect(page.exit == .exited(0))
        #expect(page.output.hasPrefix("<!doctype html>") && page.output.hasSuffix("</html>\n"))
        #expect(try publish(["status", "--html", "-", "--json"]).exit == .exited(64))
        #expect(try publish(["status", "--html", "-", "--metrics", "-"]).exit == .exited(64))
    }

    @Test func `JSON tells life, keys and versions; due is no alarm`() throws {
        func line(_ later: Int64) throws -> (exit: ChildExit, line: JSONElement) {
            let now = Int64(Date().timeIntervalSince1970) + later * 86_400
            let answer = try publish(["status", "--json", "--now", "\(now)"])
            let first = try setting.json(answer)["workspaces"]?.elements.first { _ in true }
            return (answer.exit, try #require(first))
        }
        let fresh = try line(0)
        #expect(fresh.exit == .exited(0))
        #expect(fresh.line["need"]?.string == "fine")
        #expect(fresh.line["keys"]?.count == 2)
        #expect(fresh.line["versions"]?.count == 1)
        let due = try line(16)
        #expect(due.exit == .exited(0))
        #expect(due.line["need"]?.string == "due")
        let late = try line(23)
        #expect(late.exit == .exited(1))
        #expect(late.line["state"]?.string == "expiring")
        let dark = try line(31)
        #expect(dark.exit == .exited(1))
        #expect(dark.line["state"]?.string == "expired")
        let command = dark.line["findings"]?.elements.first { _ in true }?["commands"]
        #expect(
            command?.elements.map { $0.string ?? "" } == ["grona-publish refresh acme-market"])
        // What was said on the command line has to be said to the next commands, too.
        let now = Int64(Date().timeIntervalSince1970) + 31 * 86_400
        let (keys, state) = (setting.path("keys"), setting.path("state"))
        let told = try publish([
            "status", "--json", "--now", "\(now)", "--keys", keys, "--state", state,
            "--allow-http",
        ])
        let first = try setting.json(told)["workspaces"]?.elements.first { _ in true }
        let next = first?["findings"]?.elements.first { _ in true }?["commands"]
        #expect(
            next?.elements.map { $0.string ?? "" } == [
                "grona-publish refresh acme-market --keys \(keys) --state \(state) --allow-http"
            ])
    }
}
