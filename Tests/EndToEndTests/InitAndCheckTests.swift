import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("init and check, as built")
struct InitAndCheckTests {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// Runs `grona-sign` in the test's folder, without settings from outside.
    func run(_ words: String...) throws -> Program.Answer {
        let program = Program.folder.appending("grona-sign").description
        return try Program.run(
            ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path.description, program] + words,
            environment: ["HOME": folder.path.description, "PATH": "/usr/bin:/bin"])
    }

    func mode(_ name: String) throws -> UInt32 {
        try FileSystem.status(of: folder.file(name)).permissions
    }

    func names(_ name: String) throws -> [String] {
        try FileSystem.names(in: folder.file(name)).map(\.description)
    }

    @Test("Three commands lead from nothing to a signed config that verifies")
    func threeCommands() throws {
        let made = try run("init", "my-shop")
        #expect(made.isSuccess, "\(made.errors)")
        #expect(made.output.contains("grona-sign config campaigns/my-shop --version 1"))
        #expect(try run("check", "--strict").isSuccess)
        let signed = try run("config", "campaigns/my-shop", "--version", "1", "-o", "my-shop.json")
        #expect(signed.isSuccess, "\(signed.errors)")
        #expect(try run("verify", "my-shop.json").isSuccess)
        #expect(try run("keys", "check", "--workspace", "my-shop").isSuccess)
    }

    @Test("Keys are for their user alone and hidden from git; the rest is for others to read")
    func modes() throws {
        #expect(try run("init", "my-shop").isSuccess)
        #expect(try mode("keys") == 0o700)
        #expect(try mode("keys/my-shop") == 0o700)
        let keys = try names("keys/my-shop")
        #expect(keys.count == 5)
        for name in keys { #expect(try mode("keys/my-shop/\(name)") == 0o600) }
        #expect(try readFile(folder.file("keys/.gitignore"), limit: 9) == Array("*\n".utf8))
        #expect(try mode("campaigns/my-shop") == 0o755)
        #expect(try mode("campaigns/my-shop/workspace.json") == 0o644)
        #expect(try mode("public") == 0o755)
        let ignored = try Program.run([
            "sh", "-c", "cd \"$0\" && git init -q . && git add -A && git ls-files",
            folder.path.description,
        ])
        #expect(ignored.output.contains("campaigns/my-shop/workspace.json"))
        #expect(!ignored.output.contains("keys/"))
    }

    @Test(
        "Where one of the files exists nothing is made",
        arguments: ["campaigns/my-shop/workspace.json", "keys/my-shop/keyring.json"])
    func exists(name: String) throws {
        try folder.folder((name as NSString).deletingLastPathComponent)
        try folder.write(name, "mine", permissions: 0o600)
        let refused = try run("init", "my-shop")
        #expect(refused.exit == .exited(73))
        #expect(refused.errors.contains("error[output.exists]"))
        #expect(refused.output.isEmpty)
        #expect(try readFile(folder.file(name), limit: 9) == Array("mine".utf8))
        #expect(try !names(".").contains("public"))
        // A second workspace stands beside it.
        #expect(try run("init", "other").isSuccess)
    }

    @Test("A second init of a workspace changes nothing")
    func again() throws {
        #expect(try run("init", "my-shop").isSuccess)
        let keyring = try readFile(folder.file("keys/my-shop/keyring.json"), limit: 1 << 20)
        #expect(try run("init", "my-shop").exit == .exited(73))
        #expect(
            try readFile(folder.file("keys/my-shop/keyring.json"), limit: 1 << 20) == keyring)
    }

    @Test("What is no workspace key is wrong use", arguments: ["Shop", "-x", "schema", ""])
    func badName(name: String) throws {
        #expect(try run("init", name).exit == .exited(64))
    }

    @Test("check answers with findings as JSON, and with 1 where one is an error")
    func json() throws {
        #expect(try run("init", "my-shop").isSuccess)
        try folder.write(
            "campaigns/my-shop/b.json",
            """
            {
              "id": "b", "kind": "banner", "enabled": true, "unit": "device", "placements": [],
              "variants": [{"id": "x", "weight": 9999}], "note": "+49 170 1234567"
            }
            """)
        let answer = try run("check", "--json")
        #expect(answer.exit == .exited(1))
        #expect(answer.errors.isEmpty)
        let root = try JSONDocument.parse(Array(answer.output.utf8)).root
        #expect(root["workspaces"]?.integer == 1)
        let findings = try #require(root["findings"]).elements.map { $0 }
        #expect(findings.count == 2)
        let weights = try #require(findings.first { $0["code"]?.string == "campaign.weights" })
        #expect(weights["severity"]?.string == "error")
        #expect(weights["file"]?.string == "campaigns/my-shop/b.json")
        #expect(weights["line"]?.integer == 3)
        #expect(weights["column"]?.integer == 15)
        #expect(weights["pointer"]?.string == "/variants")
        #expect(weights["message"]?.string == "the weights add up to 9999, not to 10000")
        #expect(weights.count == 7)
        let phone = try #require(findings.first { $0["code"]?.string == "campaign.phone" })
        #expect(phone["severity"]?.string == "warning")
        let text = try run("check", "campaigns/my-shop")
        #expect(text.exit == .exited(1))
        #expect(
            text.output.contains(
                "error[campaign.weights]: campaigns/my-shop/b.json:3:15 /variants: the weights"))
        #expect(text.output.hasSuffix("1 workspace: 1 error, 1 warning\n"))
    }

    @Test("A warning is no error, but for --strict")
    func strict() throws {
        #expect(try run("init", "my-shop").isSuccess)
        let path = folder.file("campaigns/my-shop/welcome.json")
        let text = String(decoding: try readFile(path, limit: 9999), as: UTF8.self)
        try folder.write("campaigns/my-shop/welcome.json", text.replacing("Welcome", with: "cus_7"))
        #expect(try run("check").isSuccess)
        #expect(try run("check", "--strict").exit == .exited(1))
    }

    @Test("What is not there, and what is no folder, is 66")
    func missing() throws {
        #expect(try run("check", "nowhere").exit == .exited(66))
        try folder.write("file", "{}")
        #expect(try run("check", "file").exit == .exited(66))
        try folder.folder("empty")
        #expect(try run("check", "empty").exit == .exited(66))
        #expect(try run("check").exit == .exited(66))
    }

    @Test("A folder or a link in place of a campaign is a finding with its name")
    func links() throws {
        #expect(try run("init", "my-shop").isSuccess)
        try folder.folder("campaigns/my-shop/c.json")
        let answer = try run("check")
        #expect(answer.exit == .exited(1))
        #expect(answer.output.contains("error[input.not-a-file]: campaigns/my-shop/c.json:1:1: "))
        try FileManager.default.removeItem(
            atPath: folder.file("campaigns/my-shop/c.json").description)
        try folder.link("campaigns/my-shop/c.json", to: "welcome.json")
        #expect(try run("check").exit == .exited(1))
    }

    @Test("What one workspace has wrong does not keep the others from being checked")
    func others() throws {
        #expect(try run("init", "my-shop").isSuccess)
        try folder.folder("campaigns/big")
        try folder.write("campaigns/big/workspace.json", "{}")
        try folder.write(
            "campaigns/big/b.json", [UInt8](repeating: 0x20, count: (4 << 20) + 1))
        try folder.link("campaigns/linked", to: "my-shop")
        try folder.folder("campaigns/broken/workspace.json")
        try folder.write("campaigns/my-shop/welcome.json", "[]")
        let answer = try run("check", "--json")
        #expect(answer.exit == .exited(1) && answer.errors.isEmpty)
        let root = try JSONDocument.parse(Array(answer.output.utf8)).root
        #expect(root["workspaces"]?.integer == 4)
        let found = try #require(root["findings"]).elements.map {
            "\($0["code"]?.string ?? "") \($0["file"]?.string ?? "")"
        }
        for finding in [
            "input.too-large campaigns/big/b.json", "input.not-a-file campaigns/linked",
            "input.not-a-file campaigns/broken/workspace.json",
            "campaign.form campaigns/my-shop/welcome.json",
        ] { #expect(found.contains(finding), "\(found)") }
    }

    @Test("What editors leave, and all that begins with a dot, is passed over")
    func litter() throws {
        #expect(try run("init", "my-shop").isSuccess)
        try folder.link("campaigns/my-shop/.#welcome.json", to: "user@host.4711:1793264400")
        try folder.write("campaigns/my-shop/.welcome.json", "half")
        try folder.link("campaigns/.#my-shop", to: "my-shop")
        let answer = try run("check", "--strict")
        #expect(answer.isSuccess, "\(answer.output)")
        #expect(
            try run("config", "campaigns/my-shop", "--version", "1", "-o", "x.json").isSuccess)
    }
}
