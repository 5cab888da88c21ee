import JOSE
import StrictJSON
import Testing

@Suite struct ProtectedHeaderTests {
    private func encoded(_ json: String) -> [UInt8] {
        Base64URL.encode(Array(json.utf8))
    }

    private func error(_ json: String) -> ProtectedHeaderError? {
        do {
            _ = try UncheckedHeader(encoded: encoded(json))
            return nil
        } catch {
            return error
        }
    }

    static let good = #"{"alg":"ES256","kid":"acme-market-2026-10","typ":"grona-config+jws"}"#

    @Test("the three members are written in canonical form")
    func canonical() {
        let header = ProtectedHeader(
            alg: "ES256", kid: "acme-market-2026-10", typ: "grona-config+jws")
        #expect(String(decoding: header.canonical, as: UTF8.self) == Self.good)
        #expect(header.encoded == encoded(Self.good))
    }

    @Test("what was written is read again")
    func roundTrip() throws {
        let header = ProtectedHeader(alg: "ES256", kid: "k", typ: "t")
        #expect(try UncheckedHeader(encoded: header.encoded).header == header)
    }

    @Test(
        "white space, order and escapes of JSON are the signer's",
        arguments: [
            #" { "typ" : "t" , "kid":"k", "alg":"ES256" } "#,
            #"{"\u0061lg":"ES\u003256","kid":"k","typ":"t"}"#,
        ])
    func otherSpelling(json: String) throws {
        let read = try UncheckedHeader(encoded: encoded(json))
        #expect(read.header == ProtectedHeader(alg: "ES256", kid: "k", typ: "t"))
    }

    @Test(
        "a text that is no JSON object is malformed",
        arguments: [
            "", "null", "[]", #""alg""#, "{", Self.good + " x",
            #"{"alg":"ES256","alg":"ES256","kid":"k","typ":"t"}"#,
            #"{"alg":"ES256","kid":"k","typ":"t",}"#, "\u{FEFF}" + Self.good,
        ])
    func malformed(json: String) {
        #expect(error(json)?.isMalformed == true)
    }

    @Test(
        "a text that is not base64url is malformed",
        arguments: ["=", " ", "\n", "+"])
    func notBase64URL(suffix: String) {
        #expect(throws: ProtectedHeaderError.notBase64URL) {
            _ = try UncheckedHeader(encoded: encoded(Self.good) + Array(suffix.utf8))
        }
    }

    @Test(
        "other members than the three are told apart from a malformed text",
        arguments: [
            ("{}", []), (#"{"alg":"ES256","kid":"k"}"#, ["alg", "kid"]),
            (#"{"alg":1,"kid":2,"typ":3,"crit":[]}"#, ["alg", "kid", "typ", "crit"]),
            (#"{"alg":"ES256","kid":"k","Typ":"t"}"#, ["alg", "kid", "Typ"]),
        ])
    func members(json: String, names: [String]) {
        #expect(error(json) == .members(names))
        #expect(error(json)?.isMalformed == false)
    }

    @Test("values that are not strings are given out for their own check")
    func otherKinds() throws {
        let read = try UncheckedHeader(encoded: encoded(#"{"alg":1,"kid":null,"typ":"t"}"#))
        #expect(read.header == nil)
        #expect(read.alg.kind == .number)
        #expect(read.kid.kind == .null)
        #expect(read.typ.string == "t")
    }
}
