import GronaFormats
import JOSE
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign verify")
struct VerifyTests {
    private let setting: VerifySetting

    init() throws {
        setting = try VerifySetting()
    }

    private func verify(
        _ bytes: [UInt8], _ more: [String] = [], now: Int64 = VerifySetting.now
    ) throws -> Program.Answer {
        try setting.run(["verify", "-"] + setting.pins + more, input: bytes, now: now)
    }

    @Test("a config is accepted with status 0 and a table of all checks")
    func accepted() throws {
        let answer = try verify(setting.envelope(), ["--sdk-version", "1.4.0"])
        #expect(answer.exit == .exited(0))
        #expect(answer.errors.isEmpty)
        let rows = answer.output.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(rows.contains { $0.elementsEqual(["min-sdk", "ok"]) })
        #expect(rows.contains { $0.elementsEqual(["version", "skipped"]) })
    }

    @Test("--json has the members of the interface")
    func json() throws {
        let answer = try verify(setting.envelope(), ["--json"])
        let root = try setting.json(answer)
        #expect(answer.exit == .exited(0))
        #expect(
            Set(root.members.map(\.name)) == [
                "accepted", "code", "kid", "workspace", "version", "issued_at", "expires_at",
                "checks", "warnings",
            ])
        #expect(root["accepted"]?.boolean == true)
        #expect(root["code"]?.kind == .null)
        #expect(root["kid"]?.string == "acme-market-2026-10")
        #expect(root["workspace"]?.string == "acme-market")
        #expect(root["version"]?.integer == 7)
        #expect(root["issued_at"]?.integer == VerifySetting.now)
        #expect(root["expires_at"]?.integer == VerifySetting.now + 86_400)
        #expect(root["checks"]?.count == 13)
    }

    @Test("nothing is told of a document whose signature fails")
    func unsigned() throws {
        let stranger = try TestKey(setting.config.kid)
        let answer = try verify(setting.envelope(by: stranger), ["--json"])
        let root = try setting.json(answer)
        #expect(answer.exit == .exited(1))
        #expect(root["accepted"]?.boolean == false)
        #expect(root["code"]?.string == "signature.invalid")
        for name in ["kid", "workspace", "version", "issued_at", "expires_at"] {
            #expect(root[name]?.kind == .null)
        }
        let checks = root["checks"]?.elements.map { $0["ok"] } ?? []
        #expect(checks.last??.string == "skipped")
    }

    @Test("the answer no is status 1, with the code on standard error")
    func refused() throws {
        let cases: [([String], Int64, String)] = [
            (["--sdk-version", "1.3.9"], VerifySetting.now, "payload.needs-newer-sdk"),
            (["--highest-version", "8"], VerifySetting.now, "payload.rollback"),
            ([], VerifySetting.now + 86_400, "payload.expired"),
        ]
        for (options, now, code) in cases {
            let answer = try verify(setting.envelope(), options, now: now)
            #expect(answer.exit == .exited(1))
            #expect(answer.errors.contains("error[\(code)]"))
        }
        #expect(try verify(setting.envelope(), ["--highest-version", "7"]).exit == .exited(0))
    }

    @Test("malformed input is answered with 1, never with a trap")
    func malformed() throws {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        let inputs: [[UInt8]] = [
            [], [0], Array("{".utf8), deep, [0xEF, 0xBB, 0xBF, 0x7B, 0x7D],
            Array("{}".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }),
            Array(#"{"payload":"","payload":"","signature":""}"#.utf8),
            [UInt8](repeating: 0xFF, count: 4_096), try setting.envelope().dropLast(),
        ]
        for input in inputs {
            let answer = try verify(input, ["--json"])
            #expect(answer.exit == .exited(1))
            #expect(try setting.json(answer)["code"]?.string == "envelope.malformed")
        }
    }

    @Test("more than a reader takes in fails the first check and is not parsed")
    func tooLarge() throws {
        let limit = Limits.Reader.envelope
        let envelope = try setting.envelope()
        let most = envelope + [UInt8](repeating: 0x20, count: limit - envelope.count)
        #expect(try setting.json(verify(most, ["--json"]))["code"]?.string == "envelope.too-large")
        let answer = try verify(most + [0x20], ["--json"])
        #expect(answer.exit == .exited(1))
        let report = try setting.json(answer)
        #expect(report["code"]?.string == "envelope.too-large")
        let checks = try #require(report["checks"]).elements.map { $0 }
        #expect(checks.first?["check"]?.string == "size")
        #expect(checks.first?["ok"]?.boolean == false)
        #expect(checks.dropFirst().allSatisfy { $0["ok"]?.string == "skipped" })
        // Of a file the size is known without reading it.
        let file = try setting.folder.write(
            "large.json", most + [UInt8](repeating: 0x20, count: 1000))
        let named = try setting.run(["verify", file.description, "--json"] + setting.pins)
        let detail = try setting.json(named)["checks"]?.elements.first { _ in true }?["detail"]
        #expect(detail?.string?.hasPrefix("\(limit + 1000) bytes") == true)
    }

    @Test("a token of more than a reader takes in fails its first check, too")
    func tooLargeToken() throws {
        let token = [UInt8](repeating: UInt8(ascii: "a"), count: Limits.Reader.line + 1)
        let answer = try setting.run(
            ["verify", "--grant", "-", "--json"] + setting.pins, input: token)
        #expect(answer.exit == .exited(1))
        #expect(try setting.json(answer)["code"]?.string == "grant.too-large")
    }

    @Test("a file that is missing or a folder is 66")
    func noFile() throws {
        for path in ["missing.json", "keys"] {
            let file = setting.folder.file(path).description
            let answer = try setting.run(["verify", file] + setting.pins)
            #expect(answer.exit == .exited(66))
            #expect(answer.output.isEmpty)
        }
        let file = try setting.folder.write("c.json", setting.envelope())
        #expect(
            try setting.run(["verify", file.description] + setting.pins).exit == .exited(0))
    }

    @Test(
        "options that do not go together are wrong use",
        arguments: [
            ["verify"], ["verify", "-", "--sub", "a"], ["verify", "-", "--used-jti", "f"],
            ["verify", "-", "--grant", "a.b.c"], ["verify", "--grant", "a", "--preview", "b"],
            ["verify", "--grant", "a.b.c", "--sdk-version", "1.4.0"],
            ["verify", "--grant", "a.b.c", "--demo"], ["verify", "--preview", "a", "--sub", "b"],
            ["verify", "--grant", "-", "--sub", "-"], ["verify", "-", "--highest-version", "007"],
            ["verify", "-", "--highest-version", "+5"],
            ["verify", "-", "--highest-version", "1e3"],
            ["verify", "-", "--highest-version", "9223372036854775808"],
            ["verify", "-", "--sdk-version", "1.4"],
            ["verify", "-", "--channel", "carrier-pigeon"],
            ["verify", "--grant", "a", "--value", "-1"], ["verify", "-", "--workspace", "Acme"],
        ])
    func usage(words: [String]) throws {
        let answer = try setting.run(words + setting.pins)
        #expect(answer.exit == .exited(64))
        #expect(answer.output.isEmpty)
        #expect(answer.errors.contains("error[usage."))
    }

    @Test("keyrings are trusted by state, and the workspace is that of the kid")
    func keyrings() throws {
        let staging = try TestKey("acme-staging-1")
        let old = try TestKey("acme-market-2025-10")
        try setting.keyring("acme-staging", [(staging, "config", "current")])
        try setting.keyring(
            "acme-market",
            [(setting.config, "config", "current"), (old, "config", "compromised")])
        func run(_ envelope: [UInt8], _ more: [String] = []) throws -> Program.Answer {
            try setting.run(["verify", "-", "--json"] + setting.keys + more, input: envelope)
        }
        #expect(try run(setting.envelope()).exit == .exited(0))
        #expect(try run(setting.envelope(), ["--workspace", "acme-market"]).exit == .exited(0))
        let foreign = try setting.json(run(setting.envelope(by: staging)))
        #expect(foreign["code"]?.string == "payload.wrong-workspace")
        let compromised = try setting.json(run(setting.envelope(by: old)))
        #expect(compromised["code"]?.string == "header.unknown-kid")
        let kid = compromised["checks"]?.elements.first { $0["check"]?.string == "kid" }
        #expect(kid?["detail"]?.string?.contains("compromised") == true)
        #expect(try run(setting.envelope(), ["--workspace", "acme-kiosk"]).exit == .exited(78))
    }

    @Test("a kid with two owners is nobody's: 78")
    func twoOwners() throws {
        let twin = try TestKey(setting.config.kid)
        try setting.keyring("acme-staging", [(twin, "config", "current")])
        let answer = try setting.run(["verify", "-"] + setting.keys, input: setting.envelope())
        #expect(answer.exit == .exited(78))
        #expect(answer.errors.contains("key.binding"))
    }

    @Test("pins for another workspace, of another format or with one key twice are 78")
    func pins() throws {
        func run(_ pins: String, _ more: [String] = []) throws -> Program.Answer {
            let file = try setting.folder.write("other.json", pins).description
            return try setting.run(
                ["verify", "-", "--pins", file] + more, input: setting.envelope())
        }
        let good = VerifySetting.pins(config: [setting.config], grant: [])
        #expect(try run(good, ["--workspace", "acme-market"]).exit == .exited(0))
        let other = try run(good, ["--workspace", "acme-staging"])
        #expect(other.exit == .exited(78))
        #expect(other.errors.contains("pins.workspace"))
        let format = try run(good.replacing(#""format":1"#, with: #""format":2"#))
        #expect(format.exit == .exited(78))
        #expect(format.errors.contains("pins.format"))
        let twice = try run(
            VerifySetting.pins(
                config: [setting.config, TestKey("second", like: setting.config)], grant: []))
        #expect(twice.exit == .exited(78))
        #expect(twice.errors.contains("key.binding"))
    }

    @Test("warnings are told, and change nothing")
    func warnings() throws {
        let envelope = try setting.envelope(VerifySetting.payload(7, #","settings":{"demo":true}"#))
        let answer = try verify(envelope)
        #expect(answer.exit == .exited(0))
        #expect(answer.errors.contains("warning[payload.demo]"))
        let json = try setting.json(verify(envelope, ["--json"]))
        #expect(json["warnings"]?.elements.map { $0["code"]?.string } == ["payload.demo"])
        #expect(try verify(envelope, ["--demo"]).errors.isEmpty)
    }

    @Test("a document cannot steer the terminal")
    func controlCharacters() throws {
        let payload = VerifySetting.payload().map { $0 }
        let text = String(decoding: payload, as: UTF8.self)
            .replacing("acme-market", with: #"acme\u001b[2J\u202e"#)
        let answer = try verify(setting.envelope(Array(text.utf8)))
        #expect(answer.exit == .exited(1))
        #expect(answer.output.contains(#"\u{1b}"#))
        #expect(!(answer.output + answer.errors).unicodeScalars.contains("\u{1B}"))
        #expect(!(answer.output + answer.errors).unicodeScalars.contains("\u{202E}"))
    }
}
