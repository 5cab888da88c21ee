import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign keys and audit")
struct SignKeysTests {
    private let setting: SignSetting

    init() throws {
        setting = try SignSetting(makesKeys: false)
    }

    private let workspace = ["--workspace", "acme-market"]

    private func generate(
        _ kid: String, use: String = "config", signer: String? = nil, _ more: [String] = [],
        verb: String = "generate"
    ) throws -> Program.Answer {
        try setting.run(
            ["keys", verb] + workspace + [
                "--use", use, "--kid", kid, "--signer", signer ?? "file:\(kid).pem",
            ] + more)
    }

    private func states() throws -> [String: String] {
        let list = try setting.json(setting.run(["keys", "list", "--json"] + workspace))
        var states: [String: String] = [:]
        for key in list.elements {
            states[key["kid"]?.string ?? ""] = key["state"]?.string
        }
        return states
    }

    @Test("a new keys folder tells git to ignore it; one that has something in it stays as it is")
    func gitIgnore() throws {
        #expect(try generate("c1").isSuccess)
        let ignore = FilePath(setting.path("keys/.gitignore"))
        #expect(try readFile(ignore, limit: 100) == Array("*\n".utf8))
        try FileManager.default.removeItem(atPath: ignore.description)
        #expect(try generate("c2").isSuccess)
        #expect(try FileSystem.statusIfPresent(of: ignore) == nil)
    }

    @Test("the first key of a use is current at once, a later one waits")
    func generate() throws {
        #expect(try generate("c1").isSuccess)
        #expect(try generate("c2").isSuccess)
        #expect(try generate("g1", use: "grant").isSuccess)
        #expect(try states() == ["c1": "current", "c2": "generated", "g1": "current"])
        let show = try setting.json(setting.run(["keys", "show", "c1", "--json"] + workspace))
        #expect(show["history"]?.elements.first { _ in true }?["bootstrap"]?.boolean == true)
        let file = FilePath(setting.path("keys/acme-market/c1.pem"))
        #expect(try FileSystem.status(of: file).permissions == 0o600)
        #expect(
            try Tool.run(["openssl", "pkey", "-in", file.description, "-noout", "-check"]).status
                == 0)
    }

    @Test("every change of a keyring stands in the audit log with its digests")
    func recorded() throws {
        _ = try generate("c1")
        _ = try generate("c2")
        let log = try setting.json(setting.run(["audit", "show", "--json"] + workspace))
        let records = Array(log.elements)
        #expect(records.map { $0["change"]?.string } == ["generated", "generated"])
        #expect(records[0]["before"] == nil)
        #expect(records[1]["before"]?.string == records[0]["after"]?.string)
        let digest = try Tool.output(
            ["sha256sum", setting.path("keys/acme-market/keyring.json")])
        #expect(
            String(decoding: digest.prefix(64), as: UTF8.self) == records[1]["after"]?.string)
    }

    @Test("a kid is bound to one key for ever, and a key to one kid and use")
    func bindings() throws {
        _ = try generate("c1")
        expectRefusal(try generate("c1", signer: "file:other.pem"), 78, "key.binding")
        #expect(!setting.exists("keys/acme-market/other.pem"))
        // The same key from another place is no other key, and is told so.
        try FileManager.default.copyItem(
            atPath: setting.path("keys/acme-market/c1.pem"),
            toPath: setting.path("keys/acme-market/moved.pem"))
        let same = try generate("c1", signer: "file:moved.pem", verb: "import")
        expectRefusal(same, 78, "key.binding")
        #expect(same.errors.contains("recorded already, and this is the same key"))
        let other = try generate("c1", signer: "file:missing.pem", verb: "import")
        expectRefusal(other, 78, "key.binding")
        #expect(other.errors.contains("c1 names a key already"))
        expectRefusal(
            try generate("c2", signer: "file:c1.pem", verb: "import"), 78, "key.binding")
        let twice = try generate("c2", signer: "file:c1.pem", verb: "import")
        #expect(twice.errors.contains("keyring.json: c2 is the key that"), "\(twice.errors)")
        #expect(!twice.errors.contains("keyring.json:1:"), "\(twice.errors)")
        expectRefusal(
            try generate("g1", use: "grant", signer: "file:c1.pem", verb: "import"), 78,
            "key.binding")
        #expect(try states() == ["c1": "current"])
    }

    @Test("a private key is never overwritten")
    func overwrite() throws {
        _ = try generate("c1")
        expectRefusal(try generate("c2", signer: "file:c1.pem"), 73, "output.exists")
        expectRefusal(
            try generate("c2", signer: "file:c1.pem", ["--strict"]), 73, "output.exists")
    }

    @Test(
        "a signer URI that is none is refused",
        arguments: [
            "c1.pem", "file:", "file:/etc/key.pem", "file:../key.pem", "pkcs11:token=x",
            "exec:/bin/true", "credential:a/b", "http://x",
        ])
    func uri(signer: String) throws {
        let answer = try generate("c1", signer: signer)
        #expect(answer.exit != .exited(0) && answer.output == "")
        #expect(!setting.exists("keys/acme-market/keyring.json"))
    }

    @Test("an imported key signs a probe; what is no P-256 key is refused")
    func importing() throws {
        try setting.folder.folder("keys/acme-market", permissions: 0o700)
        func make(_ name: String, _ curve: String) throws {
            let path = setting.path("keys/acme-market/\(name)")
            try Tool.output([
                "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                "ec_paramgen_curve:\(curve)", "-out", path,
            ])
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: path)
        }
        try make("good.pem", "P-256")
        try make("other.pem", "P-384")
        #expect(try generate("c1", signer: "file:good.pem", verb: "import").isSuccess)
        expectRefusal(
            try generate("c2", signer: "file:other.pem", verb: "import"), 65, "key.malformed")
        expectRefusal(
            try generate("c2", signer: "file:none.pem", verb: "import"), 66, "input.missing")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640],
            ofItemAtPath: setting.path("keys/acme-market/good.pem"))
        expectRefusal(
            try setting.run(["config", setting.campaigns, "--version", "1"]), 77,
            "key.unsafe-file")
    }

    @Test("an encrypted key needs its passphrase; a wrong one sets no floor")
    func passphrase() throws {
        try setting.folder.write("passphrase", "correct horse\n", permissions: 0o600)
        try setting.folder.write("wrong", "battery staple\n", permissions: 0o600)
        #expect(
            try generate("c1", ["--passphrase-file", setting.path("passphrase")]).isSuccess)
        let pem = try readFile(
            FilePath(setting.path("keys/acme-market/c1.pem")), limit: 1 << 16)
        #expect(String(decoding: pem, as: UTF8.self).contains("ENCRYPTED"))
        let lines = try setting.auditLines()
        let words = [
            "config", setting.campaigns, "--version", "1", "--no-input", "-o",
            setting.path("x.json"),
        ]
        expectRefusal(try setting.run(words), 77, "key.passphrase-needed")
        let wrong = try setting.run(words + ["--passphrase-file", setting.path("wrong")])
        expectRefusal(wrong, 77, "key.wrong-passphrase")
        #expect(!wrong.errors.contains("staple"))
        #expect(try setting.auditLines() == lines)
        #expect(!setting.exists("x.json"))
        #expect(
            try setting.run(
                words, environment: ["GRONA_PASSPHRASE_FILE": setting.path("passphrase")]
            ).isSuccess)
    }

    @Test("pins come in five forms, the current key before the next one")
    func pins() throws {
        for kid in ["c1", "c2", "c3"] { _ = try generate(kid) }
        _ = try generate("g1", use: "grant")
        let answer = try setting.run(["keys", "pins"] + workspace)
        #expect(answer.errors.contains("acme-market has no next grant key"))
        #expect(!answer.errors.contains("no next config key"))
        let json = try setting.json(answer)
        let config = try #require(json["config"])
        #expect(config.elements.map { $0["kid"]?.string } == ["c1", "c3"])
        #expect(json["grant"]?.count == 1)
        #expect(
            try setting.run(["keys", "pins", "--format", "jwks"] + workspace).exit == .exited(64))
        let jwks = try setting.json(
            setting.run(["keys", "pins", "--format", "jwks", "--use", "config"] + workspace))
        #expect(jwks["keys"]?.count == 2)
        let pem = try setting.run(
            ["keys", "pins", "--format", "pem", "--use", "grant"] + workspace)
        let read = try Tool.run(
            ["openssl", "pkey", "-pubin", "-noout", "-text"], input: Array(pem.output.utf8))
        #expect(read.text.contains("prime256v1"))
        for format in ["swift", "kotlin"] {
            let text = try setting.run(["keys", "pins", "--format", format] + workspace).output
            #expect(text.contains(#""c1""#) && text.contains("MFkw"))
        }
    }

    @Test("what is no JSON is not printed where JSON is asked for")
    func pinsAsJSON() throws {
        _ = try generate("c1")
        for format in ["pem", "swift", "kotlin"] {
            let words = ["keys", "pins", "--format", format, "--use", "config"] + workspace
            #expect(try setting.run(words).isSuccess)
            let answer = try setting.run(words + ["--json"])
            #expect(answer.exit == .exited(64) && answer.output == "")
        }
        for format in ["json", "jwks"] {
            let words = ["keys", "pins", "--format", format, "--use", "config", "--json"]
            #expect(try setting.json(setting.run(words + workspace)).kind == .object)
        }
    }

    @Test("the help of generate offers only what it makes")
    func signerHelp() throws {
        #expect(!(try setting.run(["keys", "generate", "-h"]).output.contains("credential:")))
        #expect(try setting.run(["keys", "import", "-h"]).output.contains("credential:"))
        expectRefusal(
            try generate("c1", signer: "credential:c1"), 64, "key.signer")
        expectRefusal(try generate("c1", signer: "file:.gitignore"), 78, "key.signer")
    }

    @Test("pins of a key that does not answer, or of another key, are not printed")
    func probe() throws {
        _ = try generate("c1")
        _ = try generate("c2")
        let file = setting.path("keys/acme-market/c2.pem")
        try FileManager.default.moveItem(atPath: file, toPath: setting.path("c2.pem"))
        expectRefusal(try setting.run(["keys", "pins"] + workspace), 66, "input.missing")
        let offline = try setting.run(["keys", "pins", "--offline"] + workspace)
        #expect(offline.isSuccess && offline.errors.contains("not asked to sign"))
        try FileManager.default.copyItem(
            atPath: setting.path("keys/acme-market/c1.pem"), toPath: file)
        expectRefusal(try setting.run(["keys", "pins"] + workspace), 78, "key.mismatch")
        // The check goes on with the others.
        let checked = try setting.run(["keys", "check"] + workspace)
        #expect(checked.exit == .exited(78) && checked.errors.contains("error[key.mismatch]"))
        #expect(checked.output == "c1: current, answers\n")
    }

    @Test("a keyring that was changed by hand signs nothing until its digest is accepted")
    func changed() throws {
        _ = try generate("c1")
        _ = try generate("c2")
        let path = setting.path("keys/acme-market/keyring.json")
        let text = String(decoding: try readFile(FilePath(path), limit: 1 << 20), as: UTF8.self)
        try setting.folder.write("keys/acme-market/keyring.json", text + "\n", permissions: 0o600)
        let digest = String(
            decoding: try Tool.output(["sha256sum", path]).prefix(64), as: UTF8.self)
        let words = ["config", setting.campaigns, "--version", "1"]
        let answer = try setting.run(words)
        expectRefusal(answer, 78, "keyring.changed")
        #expect(answer.errors.contains("--accept \(digest)"))
        expectRefusal(try setting.run(["keys", "pins"] + workspace), 78, "keyring.changed")
        expectRefusal(try generate("c3"), 78, "keyring.changed")
        expectRefusal(
            try setting.run(
                ["keys", "check", "--accept", String(repeating: "0", count: 64)] + workspace), 78,
            "keyring.changed")
        #expect(try setting.run(["keys", "check", "--accept", digest] + workspace).isSuccess)
        #expect(try setting.run(words).isSuccess)
    }

    @Test("a keyring of a new state folder is recorded with a warning, and --strict refuses it")
    func firstUse() throws {
        _ = try generate("c1")
        let elsewhere = ["GRONA_STATE": setting.path("elsewhere")]
        let words = ["renew", try setting.config(1), "--disable", "news"]
        expectRefusal(
            try setting.run(words + ["--strict"], environment: elsewhere), 78,
            "keyring.first-use")
        let answer = try setting.run(words, environment: elsewhere)
        #expect(answer.isSuccess)
        #expect(answer.errors.contains("warning[keyring.first-use]"))
        #expect(answer.errors.contains("adopted"))
    }

    @Test("a keyring is told to be recorded by the command that records it, and by no other")
    func firstUseRecorded() throws {
        _ = try generate("c1")
        try setting.folder.write("keys/acme-market/c2.pem", "no key", permissions: 0o600)
        let elsewhere = ["GRONA_STATE": setting.path("elsewhere")]
        func add(_ verb: String, _ kid: String) throws -> Program.Answer {
            try setting.run(
                ["keys", verb] + workspace + [
                    "--use", "config", "--kid", kid, "--signer", "file:\(kid).pem",
                ], environment: elsewhere)
        }
        for _ in 0..<2 {
            let failed = try add("import", "c2")
            #expect(failed.exit != .exited(0))
            #expect(!failed.errors.contains("keyring.first-use"), "\(failed.errors)")
        }
        for _ in 0..<2 {
            let checked = try setting.run(["keys", "check"] + workspace, environment: elsewhere)
            #expect(checked.isSuccess)
            #expect(checked.errors.contains("which the first signature records"))
        }
        let added = try add("generate", "c3")
        #expect(added.isSuccess)
        #expect(added.errors.contains("is recorded now"), "\(added.errors)")
        let again = try add("generate", "c4")
        #expect(again.isSuccess && again.errors == "", "\(again.errors)")
    }

    @Test("an import that fails in a new workspace leaves nothing")
    func nothingLeft() throws {
        #expect(
            try generate("c1", signer: "exec:/no/such/program", verb: "import").exit
                == .exited(69))
        #expect(try FileSystem.names(in: FilePath(setting.path("state"))).isEmpty)
        #expect(!setting.exists("keys/acme-market"))
        #expect(try generate("c1").isSuccess)
        #expect(try FileSystem.names(in: FilePath(setting.path("state"))).count == 1)
        #expect(
            try generate("c2", signer: "exec:/no/such/program", verb: "import").exit
                == .exited(69))
        #expect(try states() == ["c1": "current"])
        #expect(try FileSystem.names(in: FilePath(setting.path("state"))).count == 1)
    }

    @Test("keys check notices a keyring that is gone")
    func gone() throws {
        _ = try generate("c1")
        #expect(try setting.run(["keys", "check"]).isSuccess)
        try setting.folder.folder("keys/other-shop", permissions: 0o700)
        let answer = try setting.run(["keys", "check"])
        #expect(answer.exit == .exited(78))
        #expect(answer.output.contains("c1: current, answers"))
        #expect(answer.errors.contains("error[keyring.missing]"), "\(answer.errors)")
        #expect(answer.errors.contains(setting.path("keys/other-shop")))
        #expect(try setting.run(["keys", "check"] + workspace).isSuccess)
    }

    @Test("first keys that are made at one time do not disturb each other")
    func parallel() throws {
        for round in 0..<3 {
            let answer = try setting.shell(
                """
                cd "$DIR"; for name in a b c d e f; do
                "$SIGN" keys generate --keys keys-\(round) --workspace shop-$name --use config \
                --kid $name --signer file:$name.pem || echo failed & done; wait
                """)
            #expect(!answer.output.contains("failed"), "\(answer.errors)")
        }
    }

    @Test("who else may write to the keyring or its folders makes it unsafe")
    func owners() throws {
        _ = try generate("c1")
        let words = ["config", setting.campaigns, "--version", "1"]
        for name in ["keys", "keys/acme-market", "keys/acme-market/keyring.json", "state"] {
            let path = setting.path(name)
            let before = try FileSystem.status(of: FilePath(path)).permissions
            try FileManager.default.setAttributes(
                [.posixPermissions: Int(before | 0o020)], ofItemAtPath: path)
            let answer = try setting.run(words)
            expectRefusal(answer, 78, "unsafe.owner")
            #expect(answer.errors.contains("chmod go-w"))
            try FileManager.default.setAttributes(
                [.posixPermissions: Int(before)], ofItemAtPath: path)
        }
        #expect(try setting.run(words).isSuccess)
    }

    @Test("audit verify finds a changed line, and a cut end by a head that was kept")
    func audit() throws {
        _ = try generate("c1")
        try setting.config(1)
        try setting.config(2)
        let report = try setting.json(setting.run(["audit", "verify", "--json"] + workspace))
        #expect(report["ok"]?.boolean == true && report["lines"]?.integer == 3)
        let head = try #require(report["head"]?.string)
        let ring = try #require(FileSystem.names(in: FilePath(setting.path("state"))).first)
        let path = "state/\(ring)/audit.ndjson"
        let text = String(
            decoding: try readFile(FilePath(setting.path(path)), limit: 1 << 20), as: UTF8.self)
        let lines = text.split(separator: "\n")
        try setting.folder.write(
            path, lines.prefix(2).joined(separator: "\n") + "\n", permissions: 0o600)
        #expect(try setting.run(["audit", "verify"] + workspace).isSuccess)
        let cut = try setting.run(["audit", "verify", "--head", head] + workspace)
        #expect(cut.exit == .exited(1))
        try setting.folder.write(
            path, text.replacingOccurrences(of: #""version":1"#, with: #""version":3"#),
            permissions: 0o600)
        let changed = try setting.run(["audit", "verify", "--json"] + workspace)
        #expect(changed.exit == .exited(1))
        #expect(try setting.json(changed)["code"]?.string == "log.changed")
        #expect(try setting.json(changed)["line"]?.integer == 2)
        #expect(
            try setting.run(["config", setting.campaigns, "--version", "3"]).exit != .exited(0))
    }

    @Test("audit adopt and withdraw need a reason, and can be repeated")
    func adopt() throws {
        _ = try generate("c1")
        let elsewhere = ["GRONA_STATE": setting.path("elsewhere")]
        let foreign = setting.path("foreign.json")
        #expect(
            try setting.run(
                ["config", setting.campaigns, "--version", "3", "-o", foreign],
                environment: elsewhere
            ).isSuccess)
        expectRefusal(try setting.run(["renew", foreign]), 65, "transition.foreign-source")
        #expect(try setting.run(["audit", "adopt", foreign]).exit == .exited(64))
        let words = ["audit", "adopt", foreign, "--reason", "moved here"]
        #expect(try setting.run(words).output == "adopted acme-market version 3\n")
        #expect(try setting.run(words).output == "known already: acme-market version 3\n")
        let again = try setting.json(setting.run(words + ["--json"])).elements.map { $0 }
        #expect(again.map { $0["already"]?.boolean } == [true])
        #expect(again.map { $0["version"]?.integer } == [3])
        let renewed = try setting.run(["renew", foreign, "--json"])
        #expect(try setting.json(renewed)["version"]?.integer == 4)
        #expect(
            try setting.run(["audit", "withdraw", "acme-market", "3", "--reason", "x"]).isSuccess)
        expectRefusal(
            try setting.run(["audit", "withdraw", "acme-market", "9", "--reason", "x"]), 65,
            "audit.unknown-version")
        expectRefusal(try setting.run(["renew", foreign]), 65, "transition.foreign-source")
    }

    @Test("a keyring that is not there is told with the way to make one")
    func missing() throws {
        let answer = try setting.run(["config", setting.campaigns, "--version", "1"])
        #expect(answer.exit == .exited(78), "\(answer.errors)")
        #expect(answer.errors.contains("help: "))
        _ = try generate("c1")
        expectRefusal(
            try setting.run(["keys", "list", "--workspace", "nobody"]), 78, "keyring.missing")
    }
}
