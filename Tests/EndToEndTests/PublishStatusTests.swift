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
}
