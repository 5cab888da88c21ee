import Foundation
import LinuxIO
import TestSupport
import Testing

/// Where `grona-publish` keeps its record, and what stands in it.
@Suite struct PublishLedgerTests {
    private let setting: PublishSetting

    init() throws { setting = try PublishSetting() }

    @Test func `A rehearsal writes into no ledger but its own`() throws {
        for folder in ["real", "state/rehearsal/own"] { try setting.signing.folder.folder(folder) }
        try setting.publish(1, ["--ledger", setting.path("real/ledger.ndjson")])
        let before = try Data(contentsOf: URL(filePath: setting.path("real/ledger.ndjson")))
        let next = try setting.signing.config(2)
        for ledger in [
            setting.path("real/ledger.ndjson"), setting.path("state/rehearsal/../ledger.ndjson"),
            "file:\(setting.path("real"))",
        ] {
            expectRefusal(
                try setting.run(
                    ["push", next, "--ledger", ledger], ["GRONA_REHEARSAL": "1"]),
                78, "rehearsal.real")
        }
        #expect(try Data(contentsOf: URL(filePath: setting.path("real/ledger.ndjson"))) == before)
        let own = try setting.run(
            ["push", next, "--ledger", setting.path("state/rehearsal/own/ledger.ndjson")],
            ["GRONA_REHEARSAL": "1"])
        #expect(own.isSuccess, "\(own.errors)")
    }

    @Test func `A folder as the ledger holds the file and the envelopes`() throws {
        try setting.signing.folder.folder("shared")
        try setting.publish(1, ["--ledger", "file:\(setting.path("shared"))"])
        #expect(setting.signing.exists("shared/ledger.ndjson"))
        #expect(setting.signing.exists("shared/envelopes"))
    }

    @Test func `A ledger whose folder is missing is not made`() throws {
        let config = try setting.signing.config(1)
        for ledger in ["file:\(setting.path("gone"))", setting.path("gone/ledger.ndjson")] {
            for words in [
                ["push", config], ["next-version", "acme-market"], ["push", "-n", config],
            ] {
                let answer = try setting.run(words + ["--ledger", ledger])
                expectRefusal(answer, 66, "ledger.missing")
            }
        }
        #expect(!setting.signing.exists("gone"))
        #expect(!setting.signing.exists("public/v1"))
    }

    @Test func `A ledger inside the store is refused`() throws {
        let config = try setting.signing.config(1)
        for ledger in ["file:\(setting.path("public"))", setting.path("public/own.ndjson")] {
            expectRefusal(
                try setting.run(["push", config, "--ledger", ledger]), 78, "ledger.in-store")
        }
        try setting.publish(2, ["--ledger", setting.path("own.ndjson")])
    }

    @Test func `A document named as the ledger stays as it is`() throws {
        let config = try setting.signing.config(1)
        let bytes = try Data(contentsOf: URL(filePath: config))
        let line = bytes.last == 0x0A ? bytes.dropLast() : bytes
        let envelope = setting.path("envelope.json")
        try Data(line).write(to: URL(filePath: envelope))
        let answer = try setting.run(["push", config, "--ledger", envelope])
        #expect(!answer.isSuccess && answer.errors.contains("error[log."), "\(answer.errors)")
        #expect(try Data(contentsOf: URL(filePath: envelope)) == Data(line))
    }

    @Test func `A store with a past that meets an empty ledger is told of`() throws {
        try setting.publish(1)
        let first = try setting.run(["push", try setting.signing.config(2)])
        #expect(first.isSuccess && !first.errors.contains("ledger.empty"), "\(first.errors)")
        let next = try setting.signing.config(3)
        let other = ["--ledger", setting.path("other.ndjson")]
        let told = try setting.run(["push", next] + other)
        #expect(told.isSuccess && told.errors.contains("warning[ledger.empty]"), "\(told.errors)")
        let again = try setting.run(["push", try setting.signing.config(4)] + other)
        #expect(again.isSuccess && !again.errors.contains("ledger.empty"), "\(again.errors)")
    }

    @Test func `A signer is not told the network's secrets`() throws {
        try setting.publish(1)
        let script = "#!/bin/sh\nenv > '\(setting.path("environment"))'\nexit 70\n"
        try setting.signing.folder.write("signer", script)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: setting.path("signer"))
        let answer = try setting.run(
            [
                "bundle", "acme-market", "--pins", setting.path("pins.json"), "-o",
                setting.path("bundle.json"), "--signer", setting.path("signer"),
            ],
            [
                "AWS_SECRET_ACCESS_KEY": "very-secret", "CREDENTIALS_DIRECTORY": "/very-secret",
                "GRONA_TOKEN_FILE": "/very-secret", "GRONA_TRUST_UID": "12345",
            ])
        #expect(!answer.isSuccess)
        let seen = try String(contentsOfFile: setting.path("environment"), encoding: .utf8)
        #expect(!seen.contains("very-secret") && seen.contains("GRONA_TRUST_UID=12345"))
    }

    @Test(arguments: ["ftp://bucket/ledger", "S3:x", "file:"])
    func `Another address is no ledger`(_ address: String) throws {
        let answer = try setting.run(["next-version", "acme-market", "--ledger", address])
        expectRefusal(answer, 78, "ledger.address")
    }

    @Test(arguments: [
        ("https://example.com/ledger", "store.address"), ("s3:x", "store.address"),
        ("s3://B/ledger", "store.address"), ("s3://bucket/ledger", "store.credentials"),
    ])
    func `A ledger in a store needs a whole address and credentials`(
        _ address: String, _ code: String
    ) throws {
        let answer = try setting.run(["next-version", "acme-market", "--ledger", address])
        expectRefusal(answer, 78, code)
    }

    @Test func `A folder that cannot be made ends with 73 in both programs`() throws {
        let config = try setting.signing.config(1)
        for state in ["/proc/nothing", "/proc/nothing/below"] {
            let push = try setting.run(["push", config, "--state", state])
            #expect(push.exit == .exited(73), "\(push.errors)")
            let sign = try setting.signing.run([
                "config", setting.signing.campaigns, "--version", "2", "--state", state,
            ])
            #expect(sign.exit == .exited(73), "\(sign.errors)")
        }
    }

    @Test func `A torn line that is removed is told`() throws {
        try setting.publish(1)
        let store = try #require(
            FileManager.default.contentsOfDirectory(atPath: setting.path("state/stores")).first)
        let file = setting.path("state/stores/\(store)/ledger.ndjson")
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("{\"event\":".utf8))
        try handle.close()
        let answer = try setting.run(["push", try setting.signing.config(2)])
        #expect(answer.isSuccess)
        #expect(answer.errors.contains("warning[log.repaired]"), "\(answer.errors)")
    }

    @Test func `Refusals by the signer and by a device are on record`() throws {
        try setting.publish(1)
        #expect(try setting.bundle(["--signer", "/no/such/signer"]).exit == .exited(69))
        #expect(try setting.ledger().contains(#""code":"signer.unavailable""#))
        var forged = try String(contentsOfFile: setting.served, encoding: .utf8)
        let place = try #require(forged.range(of: #""signature":""#)).upperBound
        let other = forged[place] == "A" ? "B" : "A"
        forged.replaceSubrange(place...place, with: other)
        try setting.signing.folder.write("forged.json", forged)
        let answer = try setting.run(["push", setting.path("forged.json")])
        #expect(answer.exit == .exited(65), "\(answer.errors)")
        #expect(try setting.ledger().contains(#""code":"signature.invalid""#))
    }

    @Test func `A state folder that others may change is told`() throws {
        try setting.publish(1)
        let config = try setting.signing.config(2)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: setting.path("state"))
        for words in [["status"], ["next-version", "acme-market"], ["push", "-n", config]] {
            let answer = try setting.run(words)
            #expect(answer.errors.contains("warning[unsafe.owner]"), "\(words): \(answer.errors)")
        }
    }
}
