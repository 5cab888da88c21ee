import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `recover` through the built programs: stores that are lost, damaged or restored.
@Suite struct PublishRecoverTests {
    private let setting: PublishSetting
    private let first: Data
    private let second: Data

    init() throws {
        setting = try PublishSetting()
        try setting.publish(1)
        first = try Data(contentsOf: URL(filePath: setting.served))
        try setting.publish(2)
        second = try Data(contentsOf: URL(filePath: setting.served))
    }

    private var file: URL { URL(filePath: setting.served) }

    private func recover(_ words: [String] = []) throws -> Program.Answer {
        try setting.run(["recover", "acme-market"] + words)
    }

    private func served() throws -> Data { try Data(contentsOf: file) }

    @Test func `Where nothing is wrong, nothing is done`() throws {
        let before = try setting.tree()
        let answer = try recover(["--yes"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.contains("nothing speaks against it"))
        #expect(try setting.tree() == before)
        let json = try setting.signing.json(try recover(["--json"]))
        #expect(json["result"]?.string == "unchanged")
        #expect(json["version"]?.integer == 2)
        #expect(json["evidence"]?["claims"]?.count == 2)
        #expect(json["evidence"]?["kept"]?.count == 2)
        #expect(json["evidence"]?["ledger"]?["served"]?.integer == 2)
    }

    @Test func `Claims above what is served are told with the commands, where the ledger is lost`()
        throws
    {
        try first.write(to: file)
        let options = ["--state", setting.path("other-state")]
        let answer = try recover(["--yes"] + options)
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.contains("claimed above what is served: 2"))
        #expect(!answer.output.contains("nothing speaks against it"))
        #expect(answer.errors.contains("warning[claim.unpublished]"))
        #expect(answer.errors.contains("grona-publish fetch acme-market --claimed 2"))
        #expect(answer.errors.contains("grona-sign audit withdraw acme-market 2"))
        #expect(try served() == first)
        let json = try setting.signing.json(try recover(["--json"] + options))
        #expect(json["evidence"]?["unpublished"]?.count == 1)
        let status = try setting.run(["status"] + options)
        #expect(status.exit == .exited(1))
        #expect(status.output.contains("(claim.unpublished)"))
    }

    @Test func `A ledger that somebody changed is told with the way on`() throws {
        let stores = setting.path("state/stores")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: stores).first)
        let ledger = URL(filePath: "\(stores)/\(name)/ledger.ndjson")
        let text = try String(contentsOf: ledger, encoding: .utf8)
        try Data(text.replacingOccurrences(of: #""seq":1"#, with: #""seq":9"#).utf8)
            .write(to: ledger)
        let answer = try recover(["--yes"])
        #expect(answer.errors.contains("error[log."), "\(answer.errors)")
        #expect(answer.errors.contains("'grona-publish doctor --accept-ledger'"))
        // As it says: the file and its mark are kept under other names, and it is accepted.
        for file in [ledger.path(), ledger.path() + ".mark"] {
            try FileManager.default.moveItem(atPath: file, toPath: file + ".broken")
        }
        let accepted = try setting.run(["doctor", "--accept-ledger", "--yes"])
        #expect(accepted.isSuccess, "\(accepted.errors)")
        let status = try setting.run(["status"])
        #expect(status.isSuccess, "\(status.output)\(status.errors)")
        #expect(try setting.run(["push", try setting.signing.config(3)]).isSuccess)
    }

    @Test func `A version that was served once is not merely claimed`() throws {
        func states(_ words: [String] = []) throws -> [String?] {
            let answer = try setting.run(["history", "acme-market", "--json"] + words)
            #expect(answer.isSuccess, "\(answer.errors)")
            return try setting.signing.json(answer)["versions"]?.elements.map {
                $0["state"]?.string
            } ?? []
        }
        #expect(try states() == ["was-served", "served"])
        try first.write(to: file)
        #expect(try states() == ["served", "was-served"])
        // Whoever has no ledger cannot know.
        #expect(try states(["--state", setting.path("other-state")]) == ["served", "claimed"])
        let stores = setting.path("state/stores")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: stores).first)
        try Data().write(to: URL(filePath: "\(stores)/\(name)/ledger.ndjson"))
        #expect(try states() == ["served", "claimed"])
        #expect(
            try setting.run(["history", "acme-market"]).errors
                .contains("warning[ledger.went-back]"))
    }

    @Test func `A ledger of which nothing is left but what was seen served is told`() throws {
        let stores = setting.path("state/stores")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: stores).first)
        for file in ["ledger.ndjson", "ledger.ndjson.mark"] {
            try FileManager.default.removeItem(atPath: "\(stores)/\(name)/\(file)")
        }
        // The store has forgotten, too.
        try setting.remove("public/v1")
        let third = try setting.signing.config(3)
        let answer = try setting.run(["push", third])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.errors.contains("warning[ledger.empty]"), "\(answer.errors)")
        #expect(answer.errors.contains("version 2 stands"))
    }

    @Test func `A ledger that was cut or emptied is refused with the way on`() throws {
        let stores = setting.path("state/stores")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: stores).first)
        let folder = "\(stores)/\(name)"
        let ledger = URL(filePath: "\(folder)/ledger.ndjson")
        let whole = try Data(contentsOf: ledger)
        let third = try setting.signing.config(3)
        for left in [whole.firstIndex(of: 0x0A).map { whole[...$0] } ?? Data(), Data()] {
            try left.write(to: ledger)
            expectRefusal(try setting.run(["push", third]), 76, "ledger.went-back")
            #expect(try setting.run(["status"]).exit != .exited(0))
            let answer = try recover(["--yes"])
            expectRefusal(answer, 76, "ledger.went-back")
            #expect(answer.errors.contains("'grona-publish doctor --accept-ledger'"))
            #expect(try Data(contentsOf: ledger) == left)
        }
        try first.write(to: file)
        let anew = ["--ledger", "\(folder)/new.ndjson"]
        // What was seen served lies beside it still.
        let answer = try recover(["--yes", "--json"] + anew)
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try setting.signing.json(answer)["evidence"]?["kept"]?.count == 2)
        try whole.write(to: ledger)
        #expect(try setting.run(["push", third]).isSuccess)
    }

    @Test func `Status names recover where a store went back, is missing or damaged`() throws {
        func status() throws -> Program.Answer { try setting.run(["status"]) }
        #expect(!(try status().output.contains("recover")))
        for copy in [first, Data("<html>".utf8), nil] {
            if let copy {
                try copy.write(to: file)
            } else {
                try FileManager.default.removeItem(at: file)
            }
            let answer = try status()
            #expect(answer.exit == .exited(1))
            #expect(
                answer.output.contains("$ grona-publish recover acme-market"), "\(answer.output)")
        }
    }

    @Test func `Without a yes the evidence is shown, and nothing else happens`() throws {
        try setting.remove("public/v1")
        let before = try setting.tree()
        let answer = try recover(["--no-input"])
        #expect(answer.exit == .exited(65), "\(answer.errors)")
        #expect(answer.errors.contains("error[recover.unconfirmed]"))
        #expect(answer.errors.contains("--yes"))
        for line in [
            "served: nothing", "claims: none", "kept beside the ledger: 2, up to version 2",
            "served 2",
        ] { #expect(answer.output.contains(line), "\(answer.output)") }
        #expect(try setting.tree() == before)
        let dry = try recover(["--dry-run", "--yes"])
        #expect(dry.isSuccess, "\(dry.errors)")
        #expect(dry.output.contains("version 2, kept beside the ledger, would go back"))
        #expect(try setting.tree() == before)
    }

    @Test func `A lost store serves the newest content again, under its own number`() throws {
        try setting.remove("public/v1")
        let answer = try recover(["--yes"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try served() == second)
        #expect(try recover(["--yes"]).isSuccess)
        #expect(try setting.run(["status"]).isSuccess)
    }

    @Test func `A store that went back goes on`() throws {
        try first.write(to: file)
        let answer = try recover(["--yes"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try served() == second)
    }

    @Test(arguments: ["", "{", "<html>"])
    func `A damaged copy is replaced`(_ junk: String) throws {
        try Data(junk.utf8).write(to: file)
        let answer = try recover(["--yes", "--json"])
        #expect(answer.isSuccess, "\(answer.errors)")
        let json = try setting.signing.json(answer)
        #expect(json["result"]?.string == "published")
        #expect(json["version"]?.integer == 2)
        #expect(json["content"]?["place"]?.string == "kept")
        #expect(try served() == second)
    }

    @Test func `A number that was claimed since is not given away: a new one is signed`() throws {
        let third = try setting.signing.config(3)
        let lock = setting.path("public/v1/mobile/workspaces/acme-market/versions")
        let claim = "\(lock)/0000000000000003.json"
        try FileManager.default.copyItem(atPath: third, toPath: claim)
        try Data("gone".utf8).write(to: file)
        let stale = try recover(["--yes"])
        // The signer remembers the config that was signed and never published.
        #expect(stale.exit == .exited(65), "\(stale.errors)")
        #expect(stale.errors.contains("audit withdraw"))
        let given = try setting.signing.run([
            "audit", "withdraw", "acme-market", "3", "--reason", "never published",
        ])
        #expect(given.isSuccess, "\(given.errors)")
        let answer = try recover(["--yes"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try setting.servedPayload()["version"]?.integer == 4)
        #expect(try setting.isOn("weekend-offer") == true)
    }

    @Test func `Without anything of ours there is nothing to go by`() throws {
        try setting.remove("public/v1")
        let answer = try recover([
            "--yes", "--state", setting.path("other-state"), "--signer", setting.signerWords,
        ])
        #expect(answer.exit == .exited(66), "\(answer.errors)")
        #expect(answer.errors.contains("error[recover.nothing]"))
    }

    @Test func `Without a ledger the store's own claims are gone by`() throws {
        try Data("gone".utf8).write(to: file)
        let answer = try recover([
            "--yes", "--state", setting.path("other-state"), "--signer", setting.signerWords,
        ])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try served() == second)
    }
}
