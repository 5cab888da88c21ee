import JOSE
import StrictJSON
import Testing

@Suite struct FlattenedJWSTests {
    private func parse(_ text: String) throws(FlattenedJWSError) -> FlattenedJWS {
        try FlattenedJWS(parsing: Array(text.utf8))
    }

    static let parts = FlattenedJWS(
        protected: Array("cA".utf8), payload: Array("cGI".utf8), signature: Array("c2ln".utf8))

    @Test("one line, members in order, nothing after the brace")
    func serialized() {
        let text = String(decoding: Self.parts.serialized(), as: UTF8.self)
        #expect(text == #"{"protected":"cA","payload":"cGI","signature":"c2ln"}"#)
    }

    @Test("the signing input is protected, a dot, payload")
    func signingInput() {
        #expect(String(decoding: Self.parts.signingInput, as: UTF8.self) == "cA.cGI")
    }

    @Test(
        "any order and white space are read",
        arguments: [
            #"{"protected":"cA","payload":"cGI","signature":"c2ln"}"#,
            "{ \"signature\":\"c2ln\",\n\t\"payload\":\"cGI\", \"protected\":\"cA\" }\n",
            #"{"protected":"c\u0041","payload":"cGI","signature":"c2ln"}"#,
        ])
    func read(text: String) throws {
        #expect(try parse(text) == Self.parts)
    }

    @Test("parts that are not base64url are kept for their own check, and written as JSON")
    func otherText() throws {
        let text = #"{"protected":"a\"é","payload":" ","signature":""}"#
        let read = try parse(text)
        #expect(read.protected == Array("a\"é".utf8))
        #expect(read.signature.isEmpty)
        #expect(String(decoding: read.serialized(), as: UTF8.self) == text)
    }

    @Test(
        "a text that is not strict JSON is refused",
        arguments: [
            "", "{", #"{"protected":"cA","payload":"cGI","signature":"c2ln"}x"#,
            #"{"protected":"cA","payload":"cGI","signature":"c2ln","payload":"cGI"}"#,
            "\u{FEFF}" + #"{"protected":"cA","payload":"cGI","signature":"c2ln"}"#,
        ])
    func notJSON(text: String) {
        do {
            _ = try parse(text)
            Issue.record("accepted")
        } catch {
            guard case .notJSON = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(
        "other members than the three are refused by name",
        arguments: [
            ("{}", []), (#"{"protected":"","payload":""}"#, ["protected", "payload"]),
            (
                #"{"protected":"","payload":"","signature":"","header":{}}"#,
                ["protected", "payload", "signature", "header"]
            ),
            (
                #"{"protected":"","payload":"","signatures":[]}"#,
                ["protected", "payload", "signatures"]
            ),
        ])
    func members(text: String, names: [String]) {
        do {
            _ = try parse(text)
            Issue.record("accepted")
        } catch {
            guard case .members(let found, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(found == names)
        }
    }

    @Test("a token, an array and a string are no envelope", arguments: ["[]", "\"a.b.c\"", "1"])
    func notObject(text: String) {
        do {
            _ = try parse(text)
            Issue.record("accepted")
        } catch {
            guard case .notObject = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(
        "a member that is no string is refused, with its place",
        arguments: ["protected", "payload", "signature"])
    func notString(name: String) {
        let values = ["protected", "payload", "signature"].map {
            "\"\($0)\":\($0 == name ? "1" : "\"\"")"
        }
        do {
            _ = try parse("{\(values.joined(separator: ","))}")
            Issue.record("accepted")
        } catch {
            guard case .notString(let element) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(element.pointer == "/\(name)")
        }
    }
}
