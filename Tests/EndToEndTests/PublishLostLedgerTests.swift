import Foundation
import GronaFormats
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// The publisher's own memory is set back or gone, and devices are well.
@Suite struct PublishLostLedgerTests {
    private let setting: PublishSetting
    private let offer = "weekend-offer"

    init() throws {
        setting = try PublishSetting()
        for version in 1...2 { try setting.publish(version) }
    }

    private var stores: String { setting.path("state/stores") }

    private func folder() throws -> String {
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: stores).first)
        return "\(stores)/\(name)"
    }

    /// Last night's ledger is put back, and its mark of today stays.
    private func setBack() throws {
        let ledger = try folder() + "/ledger.ndjson"
        let lines = try String(contentsOfFile: ledger, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        try Data((lines.dropLast(2).joined(separator: "\n") + "\n").utf8)
            .write(to: URL(filePath: ledger))
    }

    /// What the message says, as it is typed; operators add --yes where no terminal asks.
    private func typed(_ answer: Program.Answer) throws -> [String] {
        let pattern = /'grona-publish (doctor --accept-ledger)'/
        let command = try #require(answer.errors.firstMatch(of: pattern)).1
        return command.split(separator: " ").map(String.init)
    }

    @Test(arguments: [false, true])
    func `One that went back is accepted by what the message says, and all goes on`(
        _ isEmptied: Bool
    ) throws {
        if isEmptied {
            try Data().write(to: URL(filePath: try folder() + "/ledger.ndjson"))
        } else {
            try setBack()
        }
        let refused = try setting.run(["refresh", "acme-market"])
        #expect(refused.exit == .exited(76), "\(refused.errors)")
        #expect(refused.errors.contains("ledger.went-back"))
        let words = try typed(refused)
        let before = try setting.tree()
        expectRefusal(try setting.run(words), 65, "ledger.unconfirmed")
        let shown = try setting.run(words + ["--dry-run"])
        #expect(shown.isSuccess, "\(shown.errors)")
        #expect(try setting.tree() == before)
        let accepted = try setting.run(words + ["--yes"])
        #expect(accepted.isSuccess, "\(accepted.errors)")
        for command in [["refresh"], ["status"], ["health"], ["recover"]] {
            let answer = try setting.run(command + ["acme-market"])
            #expect(answer.isSuccess, "\(command) \(answer.errors)\(answer.output)")
            #expect(!answer.errors.contains("ledger."), "\(answer.errors)")
        }
        // What was served is known again: an older copy is one.
        let first = try Data(
            contentsOf: URL(filePath: setting.path("version-1.json")))
        try first.write(to: URL(filePath: setting.served))
        let status = try setting.run(["status", "acme-market"])
        #expect(status.output.contains("served.rolled-back"), "\(status.output)")
    }

    @Test func `A kill does not wait for it, and goes by the envelopes beside it`() throws {
        try setBack()
        // The store went back, too: only the envelope knows of the second version.
        try FileManager.default.removeItem(
            atPath: setting.path(
                "public/v1/mobile/workspaces/acme-market/versions/0000000000000002.json"))
        let first = try Data(contentsOf: URL(filePath: setting.path("version-1.json")))
        try first.write(to: URL(filePath: setting.served))
        let answer = try setting.run(["kill", "acme-market", offer])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.errors.contains("warning[ledger.went-back]"), "\(answer.errors)")
        #expect(try setting.isOn(offer) == false)
        #expect(try setting.servedPayload()["version"]?.integer == 3)
        // For everything else somebody still has to answer for it.
        let refused = try setting.run(["rollback", "acme-market", "--to-version", "1"])
        expectRefusal(refused, 76, "ledger.went-back")
        #expect(try setting.run(try typed(refused) + ["--yes"]).isSuccess)
        #expect(try setting.run(["rollback", "acme-market", "--to-version", "1"]).isSuccess)
    }

    @Test func `One that was lost is told until it is accepted, and renewals go on`() throws {
        try FileManager.default.removeItem(atPath: stores)
        let metrics = setting.path("refresh.prom")
        let refresh = ["refresh", "acme-market", "--metrics", metrics]
        for _ in 1...2 {
            let answer = try setting.run(refresh)
            #expect(answer.isSuccess, "\(answer.errors)")
            #expect(answer.errors.contains("warning[ledger.empty]"), "\(answer.errors)")
            let text = try String(contentsOfFile: metrics, encoding: .utf8)
            #expect(
                text.contains(
                    #"grona_refresh_alarms{workspace="acme-market",code="ledger.empty"} 1"#))
            let status = try setting.run(["status"])
            #expect(status.exit == .exited(1), "\(status.output)")
            #expect(status.output.contains("ledger.empty"), "\(status.output)")
        }
        let words = try typed(try setting.run(refresh))
        #expect(try setting.run(words + ["--yes"]).isSuccess)
        let answer = try setting.run(refresh)
        #expect(answer.isSuccess && !answer.errors.contains("ledger.empty"), "\(answer.errors)")
        #expect(try setting.run(["status"]).isSuccess)
    }

    @Test func `A renewal puts lines into it again`() throws {
        try FileManager.default.removeItem(atPath: stores)
        let renewed = try setting.run(["refresh", "acme-market", "--within", "400d"])
        #expect(renewed.isSuccess, "\(renewed.errors)")
        #expect(try setting.servedPayload()["version"]?.integer == 3)
        let next = try setting.run(["refresh", "acme-market"])
        #expect(next.isSuccess && !next.errors.contains("ledger.empty"), "\(next.errors)")
    }

    @Test func `A workspace that went dark is no new one since the ledger was lost`() throws {
        try FileManager.default.removeItem(atPath: stores)
        try FileManager.default.removeItem(atPath: setting.served)
        let answer = try setting.run(["refresh", "acme-market", "--json"])
        #expect(answer.exit == .exited(76), "\(answer.output)\(answer.errors)")
        #expect(answer.output.contains("ledger.empty"), "\(answer.output)")
        let status = try setting.run(["status"])
        #expect(status.output.contains("ledger.empty"), "\(status.output)")
        let recovered = try setting.run(["recover", "acme-market", "--yes"])
        #expect(recovered.isSuccess, "\(recovered.errors)")
    }

    @Test func `A store that nobody published to is new, and knows no ledger`() throws {
        let fresh = try PublishSetting()
        let answer = try fresh.run(["refresh", "acme-market"])
        #expect(answer.isSuccess && !answer.errors.contains("ledger."), "\(answer.errors)")
    }

    @Test func `A workspace that is given up as told is no alarm`() throws {
        // Another one stays.
        try setting.signing.writeCampaigns(workspace: "other-shop")
        try setting.remove("campaigns/acme-market")
        let left = try setting.run(["refresh", "--all"])
        #expect(left.errors.contains("workspace.left-out"), "\(left.errors)")
        #expect(left.errors.contains("remove its config from the store"), "\(left.errors)")
        try FileManager.default.removeItem(atPath: setting.served)
        let metrics = setting.path("status.prom")
        let status = try setting.run(["status", "--metrics", metrics])
        #expect(status.isSuccess, "\(status.output)")
        #expect(status.errors.contains("acme-market is given up"), "\(status.errors)")
        let text = try String(contentsOfFile: metrics, encoding: .utf8)
        #expect(!text.contains(#"need="dark"} 1"#), "\(text)")
        // By name it is shown; and where the folders as such are gone, it is dark as before.
        #expect(try setting.run(["status", "acme-market"]).exit == .exited(1))
        try setting.remove("campaigns")
        #expect(try setting.run(["status"]).exit == .exited(1))
    }
}
