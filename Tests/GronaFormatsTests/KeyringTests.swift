import GronaFormats
import JOSE
import StrictJSON
import Testing

@Suite("Keyrings and pins files")
struct KeyringTests {
    private static func key(_ number: UInt8) -> String {
        Base64.encodedString([UInt8](repeating: number, count: 91))
    }

    private static let thumbprint = String(repeating: "t", count: 43)
    private static let id = "0123456789abcdef0123456789abcdef"

    private static func record(
        _ kid: String, _ number: UInt8, use: String = "config", state: String = "current",
        extra: String = ""
    ) -> String {
        #"{"kid":"\#(kid)","use":"\#(use)","state":"\#(state)","signer":"file:\#(kid).pem","#
            + #""public":"\#(key(number))","thumbprint":"\#(thumbprint)","#
            + #""history":[{"state":"\#(state)","at":1793264400,"by":"anna"}]\#(extra)}"#
    }

    private static func keyring(
        _ keys: [String], format: String = "1", id: String = id, extra: String = ""
    ) -> [UInt8] {
        let text =
            #"{"format":\#(format),"id":"\#(id)","workspace":"acme-market","#
            + #""keys":[\#(keys.joined(separator: ","))]\#(extra)}"#
        return Array(text.utf8)
    }

    private func refusal(_ bytes: [UInt8]) throws -> FormatError {
        try #require(throws: FormatError.self) { try Keyring(parsing: bytes) }
    }

    @Test("a keyring is read, and written so that it reads back to the same bytes")
    func roundTrip() throws {
        let bytes = Self.keyring([
            Self.record("a", 1), Self.record("b", 2, state: "standby"),
            Self.record("g", 3, use: "grant"),
        ])
        let keyring = try Keyring(parsing: bytes)
        #expect(keyring.keys.map(\.kid.text) == ["a", "b", "g"])
        #expect(keyring.keys[0].history[0].details.map(\.name) == ["by"])
        let written = keyring.serialized()
        #expect(try Keyring(parsing: written).serialized() == written)
        #expect(written.last == 0x0A)
    }

    @Test(
        "another format number is refused as such, whatever else the file holds",
        arguments: ["2", "0", "-1", "1.0", #""1""#, "null"])
    func format(number: String) throws {
        let error = try refusal(Self.keyring([], format: number, extra: #","new":1"#))
        #expect(error.code == .keyringFormat)
        #expect(error.pointer == "/format")
    }

    @Test("what is not of the form is refused at its place")
    func form() throws {
        let cases: [([UInt8], FormatProblem, String)] = [
            (Array("[]".utf8), .notAnObject, ""),
            (Array("{}".utf8), .missing(member: "format"), ""),
            (Self.keyring([], extra: #","x":1"#), .unknownMember("x"), "/x"),
            (Self.keyring([], id: "A"), .notA(.keyringID), "/id"),
            (Self.keyring(["1"]), .notAnObject, "/keys/0"),
            (
                Self.keyring([Self.record("a", 1, extra: #","y":1"#)]), .unknownMember("y"),
                "/keys/0/y"
            ),
            (Self.keyring([Self.record("..", 1)]), .notA(.keyID), "/keys/0/kid"),
            (Self.keyring([Self.record("a", 1, use: "both")]), .notA(.keyUse), "/keys/0/use"),
            (
                Self.keyring([Self.record("a", 1, state: "new")]), .notA(.keyState),
                "/keys/0/history/0/state"
            ),
        ]
        for (bytes, problem, pointer) in cases {
            let error = try refusal(bytes)
            #expect(error.code == .keyringMalformed)
            #expect(error.problem == problem)
            #expect(error.pointer == pointer)
        }
    }

    @Test("JSON that is none is refused with its line and column")
    func json() throws {
        let error = try refusal(Array("{\n  \"format\": 1,,\n".utf8))
        #expect(error.code == .keyringMalformed)
        #expect(error.position == JSONPosition(line: 2, column: 15))
    }

    @Test("a keyring over its limit is not parsed")
    func size() throws {
        let limit = Limits.Reader.keyring
        let head = Self.keyring([])
        let padding = [UInt8](repeating: 0x20, count: limit - head.count)
        #expect(throws: Never.self) { try Keyring(parsing: head + padding) }
        #expect(try refusal(head + padding + [0x20]).code == .inputTooLarge)
    }

    @Test("a kid or a key twice is a broken binding")
    func bindings() throws {
        let cases = [
            [Self.record("a", 1), Self.record("a", 2, state: "standby")],
            [Self.record("a", 1), Self.record("b", 1, state: "standby")],
            [Self.record("a", 1), Self.record("b", 1, use: "grant")],
            [Self.record("a", 1), Self.record("a", 1, use: "grant")],
        ]
        for keys in cases {
            #expect(try refusal(Self.keyring(keys)).code == .keyBinding)
        }
    }

    @Test("one use has at most one current key")
    func oneCurrent() throws {
        let two = Self.keyring([Self.record("a", 1), Self.record("b", 2)])
        #expect(try refusal(two).problem == .currentTwice(.init("a")!, .init("b")!))
        let oneEach = Self.keyring([Self.record("a", 1), Self.record("b", 2, use: "grant")])
        #expect(throws: Never.self) { try Keyring(parsing: oneEach) }
    }

    @Test("the history ends in the state, and there is one")
    func history() throws {
        let other = Self.record("a", 1).replacing(
            #""state":"current","at""#, with: #""state":"standby","at""#)
        #expect(
            try refusal(Self.keyring([other])).problem == .historyEndsElsewhere(.current))
        let none = Self.record("a", 1).replacing(
            #"[{"state":"current","at":1793264400,"by":"anna"}]"#, with: "[]")
        #expect(
            try refusal(Self.keyring([none])).problem == .historyEndsElsewhere(.current))
    }

    @Test(
        "a public key is the base64 of 91 bytes, in its one spelling",
        arguments: [
            ("", false), (Base64.encodedString([UInt8](repeating: 1, count: 90)), false),
            (Base64.encodedString([UInt8](repeating: 1, count: 92)), false),
            (key(1) + "\n", false), (String(key(1).dropLast()), false), (key(1), true),
        ])
    func publicKey(text: String, isKey: Bool) {
        #expect((PublicKeyText(text) != nil) == isKey)
    }

    @Test("trusted are the current and retiring keys and the next one")
    func trusted() throws {
        let states = [
            "retired", "retiring", "current", "announced", "standby", "generated", "destroyed",
            "compromised",
        ]
        let keys = states.enumerated().map { number, state in
            Self.record("k-\(state)", UInt8(number + 1), state: state)
        }
        let keyring = try Keyring(parsing: Self.keyring(keys))
        #expect(
            keyring.trusted(.config).map(\.kid.text) == ["k-retiring", "k-current", "k-standby"])
        #expect(keyring.trusted(.grant).isEmpty)
        #expect(keyring.current(.config)?.kid.text == "k-current")
    }

    @Test("the next key is the furthest on its way, of equals the newest")
    func next() throws {
        func next(_ states: [String]) throws -> String? {
            let keys = states.enumerated().map { number, state in
                Self.record("\(number)", UInt8(number + 1), state: state)
            }
            return try Keyring(parsing: Self.keyring(keys)).next(.config)?.kid.text
        }
        #expect(try next(["generated", "generated"]) == "1")
        #expect(try next(["announced", "generated"]) == "0")
        #expect(try next(["generated", "standby", "announced"]) == "1")
        #expect(try next(["current", "retired"]) == nil)
    }

    @Test("a keyring's id is 32 lower-case hexadecimal digits")
    func keyringID() {
        #expect(KeyringID(randomBytes: Array(0...15))?.text == "000102030405060708090a0b0c0d0e0f")
        #expect(KeyringID(randomBytes: Array(0...14)) == nil)
        #expect(KeyringID(Self.id) != nil)
        #expect(KeyringID(Self.id.uppercased()) == nil)
        #expect(KeyringID(Self.id + "0") == nil)
        #expect(KeyringID("../../../../../../../../../../../") == nil)
    }

    private func pins(_ config: String, _ grant: String = "", head: String = "") -> [UInt8] {
        Array(
            #"{"format":1\#(head),"workspace":"acme-market","config":[\#(config)],"grant":[\#(grant)]}"#
                .utf8)
    }

    private func pin(_ kid: String, _ number: UInt8) -> String {
        #"{"kid":"\#(kid)","public":"\#(Self.key(number))"}"#
    }

    @Test("a pins file is read with or without an id, and written so that it reads back")
    func pinsFile() throws {
        let plain = try PinsFile(parsing: pins(pin("a", 1) + "," + pin("b", 2), pin("g", 3)))
        #expect(plain.config.map(\.kid.text) == ["a", "b"])
        #expect(plain[.grant].map(\.kid.text) == ["g"])
        #expect(plain.id == nil)
        #expect(try PinsFile(parsing: plain.serialized()) == plain)
        let named = try PinsFile(parsing: pins("", head: #","id":"\#(Self.id)""#))
        #expect(named.id?.text == Self.id)
        #expect(try PinsFile(parsing: named.serialized()) == named)
    }

    @Test("a pins file for another workspace is refused")
    func pinsWorkspace() throws {
        let bytes = pins(pin("a", 1))
        #expect(throws: Never.self) {
            try PinsFile(parsing: bytes, for: WorkspaceName("acme-market"))
        }
        let error = try #require(throws: FormatError.self) {
            try PinsFile(parsing: bytes, for: WorkspaceName("acme-staging"))
        }
        #expect(error.code == .pinsWorkspace)
    }

    @Test("a pins file with one key under two kids, or one kid twice, is refused")
    func pinsBindings() throws {
        let cases = [
            pins(pin("a", 1) + "," + pin("b", 1)), pins(pin("a", 1) + "," + pin("a", 2)),
            pins(pin("a", 1), pin("a", 1)), pins(pin("a", 1), pin("g", 1)),
            pins(pin("a", 1) + "," + pin("a", 1)),
        ]
        for bytes in cases {
            let error = try #require(throws: FormatError.self) { try PinsFile(parsing: bytes) }
            #expect(error.code == .keyBinding)
        }
    }

    @Test("a pins file of another format or with unknown members is refused")
    func pinsForm() throws {
        let other = Array(#"{"format":2,"workspace":"w","config":[],"grant":[]}"#.utf8)
        #expect(
            (try #require(throws: FormatError.self) { try PinsFile(parsing: other) }).code
                == .pinsFormat)
        let unknown = pins("", head: #","comment":"x""#)
        #expect(
            (try #require(throws: FormatError.self) { try PinsFile(parsing: unknown) }).code
                == .pinsMalformed)
    }
}
