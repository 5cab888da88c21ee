import JOSE
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign inspect")
struct InspectTests {
    private let setting: VerifySetting

    init() throws {
        setting = try VerifySetting()
    }

    private func inspect(_ bytes: [UInt8], _ more: [String] = []) throws -> Program.Answer {
        try setting.run(["inspect", "-"] + more, input: bytes)
    }

    @Test("a config is shown, marked as not verified, whoever signed it")
    func config() throws {
        let stranger = try TestKey("nobody")
        let answer = try inspect(setting.envelope(by: stranger))
        #expect(answer.exit == .exited(0))
        #expect(answer.output.hasPrefix("NOT VERIFIED"))
        #expect(answer.output.contains(#"  "kid": "nobody","#))
        #expect(answer.output.contains(#"  "version": 7,"#))
    }

    @Test("--json says so too, and what it is")
    func json() throws {
        let root = try setting.json(inspect(setting.envelope(), ["--json"]))
        #expect(root["verified"]?.boolean == false)
        #expect(root["kind"]?.string == "config")
        #expect(root["form"]?.string == "envelope")
        #expect(root["payload"]?["version"]?.integer == 7)
        #expect(root["signature_size"]?.integer == 64)
        #expect(root["problems"]?.count == 0)
        let grant = try setting.json(inspect(Array(setting.token().utf8) + [0x0A], ["--json"]))
        #expect(grant["kind"]?.string == "grant")
        #expect(grant["form"]?.string == "compact")
        #expect(grant["payload"]?["sub"]?.string == "cus_7Hq2Lm9x")
    }

    @Test("parts that cannot be decoded are told, the others shown")
    func parts() throws {
        let jws = FlattenedJWS(
            protected: Array("e30".utf8), payload: Array("!".utf8), signature: Array("AA".utf8))
        let root = try setting.json(inspect(jws.serialized(), ["--json"]))
        #expect(root["kind"]?.string == "unknown")
        #expect(root["header"]?.kind == .object)
        #expect(root["payload"]?.kind == .null)
        #expect(root["problems"]?.elements.map { $0["part"]?.string } == ["payload", "signature"])
    }

    @Test("what is neither an envelope nor a token is 65")
    func neither() throws {
        for text in ["", "{}", "[", "a.b", "\u{0}"] {
            let answer = try inspect(Array(text.utf8))
            #expect(answer.exit == .exited(65))
            #expect(answer.output.isEmpty)
        }
    }

    @Test("a document cannot steer the terminal")
    func controlCharacters() throws {
        let payload = Array(#"{"a":"\u001b[2J\u202e\u0085"}"#.utf8)
        let answer = try inspect(setting.envelope(payload))
        #expect(answer.exit == .exited(0))
        for scalar in ["\u{1B}", "\u{202E}", "\u{85}"] as [Unicode.Scalar] {
            #expect(!answer.output.unicodeScalars.contains(scalar))
        }
    }
}
