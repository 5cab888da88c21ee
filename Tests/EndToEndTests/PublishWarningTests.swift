import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// What `grona-publish` says, and when.
@Suite struct PublishWarningTests {
    private let setting: PublishSetting

    init() throws {
        setting = try PublishSetting()
        try setting.publish(1)
    }

    private func changeTreatment() throws -> String {
        let path = "campaigns/acme-market/weekend-offer.json"
        let text = try String(contentsOfFile: setting.path(path), encoding: .utf8)
        try setting.signing.folder.write(path, text.replacing("10000},", with: "5000},"))
        return try setting.signing.config(2)
    }

    @Test func `A warning is told before anything is claimed, and stops a strict push`() throws {
        let before = try Data(contentsOf: URL(filePath: setting.served))
        let config = try changeTreatment()
        // The key in a file would be the first warning.
        let keys = setting.path("keys/acme-market")
        for name in try FileManager.default.contentsOfDirectory(atPath: keys)
        where name.hasSuffix(".pem") {
            try FileManager.default.removeItem(atPath: "\(keys)/\(name)")
        }
        expectRefusal(try setting.run(["push", config, "--strict"]), 65, "treatment.changed")
        #expect(try Data(contentsOf: URL(filePath: setting.served)) == before)
        #expect(
            !setting.signing.exists(
                "public/v1/mobile/workspaces/acme-market/versions/0000000000000002.json"))
        #expect(try setting.ledger().contains(#""code":"treatment.changed""#))
        let answer = try setting.run(["push", config])
        #expect(answer.isSuccess)
        #expect(answer.errors.contains("warning[treatment.changed]"))
    }

    @Test func `The signer's notes and a readable key are told by bundle`() throws {
        try setting.signing.folder.write(
            "signer", "echo 'a note' >&2; exec '\(setting.signing.program)' \"$@\"")
        let answer = try setting.bundle(["--signer", "/bin/sh \(setting.path("signer"))"])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.errors.contains("warning[key.readable]"), "\(answer.errors)")
        #expect(answer.errors.contains("a note"), "\(answer.errors)")
    }

    @Test func `A bundle that is there as it was released is done again, anything else is kept`()
        throws
    {
        let first = try setting.bundle()
        #expect(first.isSuccess, "\(first.errors)")
        let file = URL(filePath: setting.path("bundle.json"))
        let bytes = try Data(contentsOf: file)
        // A bundle that is signed in another second has other bytes.
        let second = Date.now.timeIntervalSince1970.rounded(.down)
        while Date.now.timeIntervalSince1970.rounded(.down) == second { usleep(20_000) }
        let lines = try setting.signing.auditLines()
        let again = try setting.bundle()
        #expect(again.isSuccess, "\(again.errors)")
        #expect(try Data(contentsOf: file) == bytes)
        #expect(try setting.signing.auditLines() == lines)
        expectRefusal(try setting.bundle(["--keep-offers"]), 73, "output.exists")
        try (bytes + Data("\n".utf8)).write(to: file)
        expectRefusal(try setting.bundle(), 73, "output.exists")
        #expect(try Data(contentsOf: file) == bytes + Data("\n".utf8))
        #expect(try setting.signing.auditLines() == lines)
        #expect(try setting.bundle(["--force"]).isSuccess)
        #expect(try Data(contentsOf: file) != bytes + Data("\n".utf8))
    }

    @Test(
        arguments: [
            ("https://user:s3cret@h/{workspace}/config", "no user and no password"),
            ("https://h/{workspace}/config#x", "'#' is never sent"),
            ("https://h:x/{workspace}/config", "the port is no number"),
            ("https://h/../{workspace}/config", "a step '.' or '..'"),
            ("https://h//{workspace}/config", "two slashes"),
            ("https://h/a b/{workspace}/config", "no address has"),
            ("https://h/config", "needs {workspace} once"),
            ("s3://key:s3cret@bucket/x", "no user and no password"),
            ("s3://bucket/../x", "a step '.' or '..'"),
            ("s3://bucket?endpoint=https://u:s3cret@h", "no user and no password"),
            ("s3://bucket?endpoint=https%3A%2F%2Fu:s3cret@h", "no https address"),
        ])
    func `What is wrong with an address is told, and its password is not`(
        _ store: String, _ words: String
    ) throws {
        let answer = try setting.run(["status", "--from", store])
        expectRefusal(answer, 78, "store.address")
        #expect(answer.errors.contains(words), "\(answer.errors)")
        for more in [["--json"], []] {
            let shown = try setting.run(
                ["settings", "--from", store, "--ledger", store] + more,
                ["GRONA_STORE": store, "GRONA_CLAIMS_URL": store, "GRONA_BUNDLES_URL": store])
            #expect(shown.isSuccess, "\(shown.errors)")
            #expect(!(shown.output + shown.errors + answer.errors).contains("s3cret"))
        }
        guard store.contains("s3cret") else { return }
        for signer in [store, store + " '"] {
            let bundle = try setting.bundle(["--signer", signer])
            #expect(!bundle.isSuccess && !bundle.errors.contains("s3cret"), "\(bundle.errors)")
        }
        let edge = try setting.run(["kill", "acme-market", "news", "--verify-url", store])
        #expect(edge.exit == .exited(64) && !edge.errors.contains("s3cret"), "\(edge.errors)")
    }

    @Test func `Plain http on this host needs leave, and the words say which`() throws {
        let answer = try setting.run([
            "status", "acme-market", "--from", "http://127.0.0.1:1/{workspace}/config",
        ])
        #expect(answer.errors.contains("--allow-http"), "\(answer.errors)\(answer.output)")
    }

    @Test(arguments: ["tcp:/run/grona", "ssh://host", "exec:/bin/true"])
    func `An address is no signer`(_ signer: String) throws {
        expectRefusal(try setting.bundle(["--signer", signer]), 78, "signer.command")
    }

    @Test func `An answer that cannot be written says what was done`() throws {
        let config = try setting.signing.config(2)
        let answer = try setting.shell("\"$PUBLISH\" push '\(config)' > /dev/full")
        #expect(answer.exit == .exited(74))
        #expect(answer.errors.contains("version 2 of acme-market is served"), "\(answer.errors)")
    }

    @Test(arguments: [
        "status", "history acme-market", "fetch acme-market", "next-version acme-market",
        "settings", "push \"$DIR/version-1.json\"", "--version", "man",
        "bundle -n acme-market --pins \"$DIR/pins.json\"",
    ])
    func `A closed output is an error of every command`(_ words: String) throws {
        let answer = try setting.shell("\"$PUBLISH\" \(words) >&-")
        #expect(answer.exit == .exited(74), "\(answer.errors)")
    }

    @Test func `What is fetched into a pipe is what is served`() throws {
        let answer = try setting.run(["fetch", "acme-market"])
        let bytes = try Data(contentsOf: URL(filePath: setting.served))
        #expect(Array(answer.output.utf8) == Array(bytes))
    }

    @Test func `Settings show where ledger and signer are when nobody says so`() throws {
        let root = try setting.signing.json(try setting.run(["settings", "--json"]))
        let ledger = try #require(root["ledger"]?["value"]?.string)
        #expect(ledger.hasPrefix(setting.path("state/stores/")))
        #expect(try #require(root["signer"]?["value"]?.string).hasSuffix("/grona-sign"))
        #expect(root["signer"]?["origin"]?.string == "built-in")
    }
}
