import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `rollback` through the built programs.
@Suite struct PublishRollbackTests {
    private let setting: PublishSetting

    /// Version 1 has a banner that version 2 has not.
    init() throws {
        setting = try PublishSetting()
        try setting.publish(1)
        try setting.remove("campaigns/acme-market/news.json")
        try setting.publish(2)
    }

    private func rollback(_ words: [String] = []) throws -> Program.Answer {
        try setting.run(["rollback", "acme-market", "--to-version", "1"] + words)
    }

    @Test func `The older content is served under a new number`() throws {
        let answer = try rollback()
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.contains("as version 3"))
        #expect(answer.output.contains("+ campaign news"))
        #expect(try setting.servedPayload()["version"]?.integer == 3)
        #expect(try setting.isOn("news") == true)
    }

    @Test func `Where the store went back, the difference is to what devices get`() throws {
        let second = try Data(contentsOf: URL(filePath: setting.served))
        #expect(try rollback().isSuccess)
        try second.write(to: URL(filePath: setting.served))
        // Version 3, which was served last, has the banner; what is served now has not.
        let answer = try rollback(["--dry-run"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.contains("+ campaign news"), "\(answer.output)")
    }

    @Test func `What is off stays off`() throws {
        try setting.killed(["weekend-offer"])
        let rehearsed = try setting.signing.json(try rollback(["--dry-run", "--json"]))
        #expect(rehearsed["kept_off"]?.elements.map(\.string) == ["weekend-offer"])
        let answer = try rollback()
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.contains("as version 4; weekend-offer stays off"))
        #expect(answer.errors.contains("grona-sign renew served.json --enable weekend-offer"))
        #expect(try setting.isOn("news") == true)
        #expect(try setting.isOn("weekend-offer") == false)
        // Once more: it is served already, and no more on than before.
        let again = try rollback()
        #expect(again.isSuccess && again.output.contains("as version 4; weekend-offer stays off"))
    }

    @Test func `Where nothing was switched off, nothing is told of it`() throws {
        let answer = try rollback(["--json"])
        #expect(try setting.signing.json(answer)["kept_off"]?.count == 0)
    }

    @Test func `Repeating it is done at once`() throws {
        #expect(try rollback().isSuccess)
        let before = try setting.tree()
        let again = try rollback(["--json"])
        #expect(again.isSuccess, "\(again.errors)")
        let json = try setting.signing.json(again)
        #expect(json["result"]?.string == "unchanged")
        #expect(json["version"]?.integer == 3)
        #expect(json["to_version"]?.integer == 1)
        #expect(try setting.tree() == before)
    }

    @Test func `A dry run shows what would change, and changes nothing`() throws {
        let before = try setting.tree()
        let lines = try setting.signing.auditLines()
        let answer = try rollback(["--dry-run"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.contains("+ campaign news"))
        #expect(answer.output.contains("would be published"))
        #expect(try setting.tree() == before)
        #expect(try setting.signing.auditLines() == lines)
        let json = try setting.signing.json(try rollback(["--dry-run", "--json"]))
        #expect(json["result"]?.string == "would-publish")
        #expect(json["version"]?.integer == 3)
        #expect(json["digest"]?.kind == .null)
    }

    @Test func `A version that nobody has is missing`() throws {
        let answer = try setting.run(["rollback", "acme-market", "--to-version", "7"])
        expectRefusal(answer, 66, "version.missing")
        expectRefusal(try setting.run(["rollback", "acme-market"]), 64, "usage.missing-option")
    }

    @Test func `A claim that the store lost is had from beside the ledger`() throws {
        try setting.remove(
            "public/v1/mobile/workspaces/acme-market/versions/0000000000000001.json")
        let answer = try rollback()
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try setting.isOn("news") == true)
    }

    @Test func `A claim of another content under the number is not what comes back`() throws {
        let name = "public/v1/mobile/workspaces/acme-market/versions/0000000000000001.json"
        let other = try Data(contentsOf: URL(filePath: setting.served))
        try other.write(to: URL(filePath: setting.path(name)))
        let answer = try rollback()
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try setting.isOn("news") == true)
    }
}
