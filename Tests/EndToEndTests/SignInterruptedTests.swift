import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// What a `keys generate` or an `init` leaves that was killed, and what the next one makes of it.
@Suite("grona-sign, half-made keys and workspaces")
struct SignInterruptedTests {
    private let setting: SignSetting

    init() throws {
        setting = try SignSetting(makesKeys: false)
    }

    private func keys(
        _ verb: String, environment: [String: String] = [:]
    ) throws -> Program.Answer {
        try setting.run(
            [
                "keys", verb, "--workspace", "acme-market", "--use", "config", "--kid", "c1",
                "--signer", "file:c1.pem",
            ], environment: environment)
    }

    private func initialize() throws -> Program.Answer {
        try setting.shell("cd \"$DIR\" && \"$SIGN\" init my-shop")
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: setting.path(name))
    }

    private func keyFiles() throws -> [String] {
        try FileSystem.names(in: FilePath(setting.path("keys/my-shop"))).map(\.description)
            .filter { $0.hasSuffix(".pem") }
    }

    private func expectReady() throws {
        for words in [
            ["keys", "check", "--workspace", "my-shop"],
            ["config", setting.path("campaigns/my-shop"), "--version", "1"],
        ] {
            let answer = try setting.run(words)
            #expect(answer.isSuccess, "\(answer.errors)")
        }
        #expect(try initialize().exit == .exited(73))
    }

    @Test("no key is made where it cannot be recorded")
    func state() throws {
        try setting.folder.write("no-folder", "a file")
        let answer = try keys("generate", environment: ["GRONA_STATE": setting.path("no-folder")])
        #expect(answer.exit != .exited(0) && answer.output == "")
        #expect(!setting.exists("keys/acme-market/c1.pem"))
        #expect(try keys("generate").isSuccess)
    }

    @Test("temporary files of the dead go with the next key; the help names the way on")
    func remains() throws {
        let dead = "keys/acme-market/.grona-tmp-" + String(repeating: "a", count: 32)
        try setting.folder.folder("keys/acme-market", permissions: 0o700)
        try setting.folder.write(dead, "half a key", permissions: 0o600)
        #expect(try keys("generate").isSuccess)
        #expect(!setting.exists(dead))
        try remove("keys/acme-market/keyring.json")
        let refused = try keys("generate")
        expectRefusal(refused, 73, "output.exists")
        #expect(refused.errors.contains("'grona-sign keys import' with the same options"))
        #expect(try keys("import").isSuccess)
    }

    @Test("an init that was stopped before its keyring takes its keys up")
    func beforeKeyring() throws {
        #expect(try initialize().isSuccess)
        for name in ["keys/my-shop/keyring.json", "campaigns/my-shop", "public"] {
            try remove(name)
        }
        let files = try keyFiles()
        try remove("keys/my-shop/\(try #require(files.last))")
        let kept = try readFile(
            FilePath(setting.path("keys/my-shop/\(files[0])")), limit: 1 << 16)
        let again = try initialize()
        #expect(again.isSuccess, "\(again.errors)")
        #expect(try keyFiles() == files)
        #expect(
            try readFile(FilePath(setting.path("keys/my-shop/\(files[0])")), limit: 1 << 16)
                == kept)
        try expectReady()
    }

    @Test("an init that was stopped after its keyring leaves it as it is")
    func afterKeyring() throws {
        #expect(try initialize().isSuccess)
        let path = FilePath(setting.path("keys/my-shop/keyring.json"))
        let keyring = try readFile(path, limit: 1 << 20)
        try remove("campaigns/my-shop/workspace.json")
        try remove("public")
        let again = try initialize()
        #expect(again.isSuccess, "\(again.errors)")
        #expect(try readFile(path, limit: 1 << 20) == keyring)
        #expect(setting.exists("public"))
        try expectReady()
    }

    @Test("what init did not make is never taken up")
    func foreign() throws {
        #expect(try initialize().isSuccess)
        try remove("campaigns/my-shop/workspace.json")
        try setting.folder.write("campaigns/my-shop/welcome.json", "{}")
        expectRefusal(try initialize(), 73, "output.exists")
        try remove("campaigns/my-shop/welcome.json")
        let added = try setting.run([
            "keys", "generate", "--workspace", "my-shop", "--use", "config", "--kid", "mine",
            "--signer", "file:mine.pem",
        ])
        #expect(added.isSuccess, "\(added.errors)")
        expectRefusal(try initialize(), 73, "output.exists")
        #expect(!setting.exists("campaigns/my-shop/workspace.json"))
    }
}
