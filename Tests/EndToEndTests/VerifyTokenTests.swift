import Foundation
import GronaFormats
import JOSE
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign verify --grant and --preview")
struct VerifyTokenTests {
    private let setting: VerifySetting

    init() throws {
        setting = try VerifySetting()
    }

    private func verify(
        _ token: String, _ more: [String] = [], input: [UInt8] = []
    ) throws -> Program.Answer {
        try setting.run(["verify", "--grant", token] + setting.pins + more, input: input)
    }

    private var usedPath: String { setting.folder.file("used.ndjson").description }

    private func used() throws -> String {
        try String(contentsOfFile: usedPath, encoding: .utf8)
    }

    @Test("--json has the claims in place of a config's members")
    func json() throws {
        let root = try setting.json(verify(setting.token(), ["--json", "--sub", "cus_7Hq2Lm9x"]))
        #expect(
            Set(root.members.map(\.name))
                == Set(GrantClaims.names + ["accepted", "code", "kid", "checks", "warnings"]))
        #expect(root["sub"]?.string == "cus_7Hq2Lm9x")
        #expect(root["val"]?.integer == 10_000)
        let stranger = try TestKey(setting.grant.kid).token(VerifySetting.claims()).serialized()
        let refused = try setting.json(
            verify(String(decoding: stranger, as: UTF8.self), ["--json"]))
        #expect(refused["code"]?.string == "signature.invalid")
        for name in GrantClaims.names + ["kid"] {
            #expect(refused[name]?.kind == .null)
        }
    }

    @Test("one newline after a token on standard input is dropped, a second is not")
    func newline() throws {
        let token = Array(try setting.token().utf8)
        #expect(try verify("-", input: token).exit == .exited(0))
        #expect(try verify("-", input: token + [0x0A]).exit == .exited(0))
        for end in [[0x0A, 0x0A], [0x0D, 0x0A], [0x20]] as [[UInt8]] {
            let answer = try verify("-", input: token + end)
            #expect(answer.exit == .exited(1))
            #expect(answer.errors.contains("grant.malformed"))
        }
    }

    @Test("the customer can come from standard input")
    func subject() throws {
        let token = try setting.token()
        #expect(
            try verify(token, ["--sub", "-"], input: Array("cus_7Hq2Lm9x\n".utf8)).exit
                == .exited(0))
        let other = try verify(token, ["--sub", "-"], input: Array("cus_other\n".utf8))
        #expect(other.exit == .exited(1))
        #expect(other.errors.contains("grant.subject"))
        #expect(try verify(token, ["--sub", "-"]).exit == .exited(64))
    }

    @Test("a nonce is used once, and only by a grant that is accepted")
    func once() throws {
        let token = try setting.token()
        let options = ["--used-jti", usedPath]
        #expect(try verify(token, options + ["--sub", "cus_other"]).exit == .exited(1))
        #expect(!FileManager.default.fileExists(atPath: usedPath))
        #expect(try verify(token, options).exit == .exited(0))
        #expect(try used() == "{\"exp\":\(VerifySetting.now + 3600),\"jti\":\"n1\"}\n")
        let again = try verify(token, options)
        #expect(again.exit == .exited(1))
        #expect(again.errors.contains("error[grant.used]"))
        #expect(try verify(setting.token("n2"), options).exit == .exited(0))
        #expect(try used().split(separator: "\n").count == 2)
        let mode = try FileManager.default.attributesOfItem(atPath: usedPath)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("of many runs at once with one grant exactly one is the first")
    func race() async throws {
        let token = try setting.token()
        let setting = setting
        let options = ["verify", "--grant", token, "--used-jti", usedPath] + setting.pins
        let statuses = try await withThrowingTaskGroup(of: ChildExit.self) { group in
            for _ in 0..<8 {
                group.addTask { try setting.run(options).exit }
            }
            var statuses: [ChildExit] = []
            for try await status in group { statuses.append(status) }
            return statuses
        }
        #expect(statuses.filter { $0 == .exited(0) }.count == 1)
        #expect(statuses.filter { $0 == .exited(1) }.count == 7)
    }

    @Test("a file of used nonces that is no such file is refused, and stays as it is")
    func malformed() throws {
        for text in [
            "x\n", "{\"jti\":\"a b\",\"exp\":1}\n", "{\"jti\":\"a\"}\n", "[]\n", "x", "[]",
            "{\"jti\":\n", "{\"jti\":\n{\"exp\":2000000000,\"jti\":\"n2\"}\n",
        ] {
            try setting.folder.write("used.ndjson", text)
            let answer = try verify(setting.token(), ["--used-jti", usedPath])
            #expect(answer.exit == .exited(65))
            #expect(answer.output.isEmpty)
            #expect(answer.errors.contains("nonces.malformed"))
            #expect(try used() == text)
        }
    }

    @Test("a torn last line is left out with a warning, and mended")
    func torn() throws {
        let whole = "{\"exp\":\(VerifySetting.now),\"jti\":\"n2\"}\n"
        for torn in ["{", "{\"jti\":", "{\"exp\":1,\"jti\":\"n"] {
            try setting.folder.write("used.ndjson", whole + torn)
            let answer = try verify(setting.token(), ["--used-jti", usedPath])
            #expect(answer.exit == .exited(0), "\(answer.errors)")
            #expect(answer.errors.contains("warning[nonces.torn]"))
            let lines = try used().split(separator: "\n")
            #expect(lines.count == 2 && lines[0] == whole.dropLast())
        }
        // A last line that is whole but for its newline counts.
        try setting.folder.write("used.ndjson", String(try used().dropLast()))
        #expect(try verify(setting.token(), ["--used-jti", usedPath]).exit == .exited(1))
    }

    @Test("a link, a folder or a place that is not there is no file of used nonces: 73")
    func noFile() throws {
        try setting.folder.write("target", "")
        try setting.folder.link("link", to: "target")
        for name in ["link", "keys", "missing/used.ndjson"] {
            let path = setting.folder.file(name).description
            let answer = try verify(setting.token(), ["--used-jti", path])
            #expect(answer.exit == .exited(73))
            #expect(answer.output.isEmpty)
        }
    }

    @Test("nonces long past are forgotten, others are kept")
    func forgets() throws {
        let old = "{\"exp\":1600000000,\"jti\":\"old\"}\n"
        let recent = "{\"exp\":\(VerifySetting.now - 10),\"jti\":\"recent\"}\n"
        try setting.folder.write("used.ndjson", old + recent)
        #expect(try verify(setting.token(), ["--used-jti", usedPath]).exit == .exited(0))
        #expect(try !used().contains("\"old\""))
        #expect(try used().contains("\"recent\""))
        #expect(try used().contains("\"n1\""))
    }

    @Test("a preview pin is checked by the config keys")
    func preview() throws {
        let claims =
            #"{"wks":"acme-market","cmp":"weekend-offer","var":"B","iat":\#(VerifySetting.now),"#
            + #""exp":\#(VerifySetting.now + 60),"jti":"p1","prv":true}"#
        func run(_ key: TestKey) throws -> Program.Answer {
            let token = try key.token(Array(claims.utf8), typ: "grona-preview+jwt").serialized()
            return try setting.run(
                ["verify", "--preview", String(decoding: token, as: UTF8.self), "--json"]
                    + setting.pins)
        }
        let accepted = try run(setting.config)
        #expect(accepted.exit == .exited(0))
        #expect(try setting.json(accepted)["cmp"]?.string == "weekend-offer")
        #expect(
            try setting.json(run(setting.grant))["code"]?.string == "header.unknown-kid")
    }
}
