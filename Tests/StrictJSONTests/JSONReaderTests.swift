import StrictJSON
import Testing

@Suite("The grammar of JSON, and nothing beside it")
struct JSONReaderTests {
    @Test(
        "Every kind of value stands alone",
        arguments: [
            ("{}", JSONKind.object), ("[]", .array), (#""""#, .string), ("0", .number),
            ("true", .boolean), ("false", .boolean), ("null", .null), (" \t\r\n1 \t\r\n", .number),
        ])
    func kinds(_ text: String, _ kind: JSONKind) throws {
        #expect(try root(text).kind == kind)
    }

    @Test(
        "What other readers let through is refused with its code and place",
        arguments: [
            ("", "json.truncated 1:1 "),
            (" \n ", "json.truncated 2:2 "),
            ("[1,]", "json.syntax 1:3 "),
            ("[1 , ]", "json.syntax 1:4 "),
            ("[,1]", "json.syntax 1:2 /0"),
            ("[1,,2]", "json.syntax 1:4 /1"),
            (#"{"a":1,}"#, "json.syntax 1:7 "),
            (#"{,"a":1}"#, "json.syntax 1:2 "),
            (#"{"a":1 "b":2}"#, "json.syntax 1:8 "),
            ("[1 2]", "json.syntax 1:4 "),
            (#"{"a" 1}"#, "json.syntax 1:6 /a"),
            (#"{"a":}"#, "json.syntax 1:6 /a"),
            (#"{a:1}"#, "json.syntax 1:2 "),
            (#"{'a':1}"#, "json.syntax 1:2 "),
            (#"{"a":'x'}"#, "json.syntax 1:6 /a"),
            (#"{1:1}"#, "json.syntax 1:2 "),
            ("[1}", "json.syntax 1:3 "),
            (#"{"a":1]"#, "json.syntax 1:7 "),
            ("]", "json.syntax 1:1 "),
            ("/**/1", "json.syntax 1:1 "),
            ("1 // one", "json.syntax 1:3 "),
            ("[1, # one\n2]", "json.syntax 1:5 /1"),
            ("tru", "json.truncated 1:4 "),
            ("tru ", "json.syntax 1:1 "),
            ("[nul]", "json.syntax 1:2 /0"),
            ("True", "json.syntax 1:1 "),
            ("undefined", "json.syntax 1:1 "),
            ("truefalse", "json.trailing-data 1:5 "),
            ("1 1", "json.trailing-data 1:3 "),
            ("{} {}", "json.trailing-data 1:4 "),
            ("[]]", "json.trailing-data 1:3 "),
            ("1\u{0}", "json.utf16 1:1 "),
            ("1 \u{0}", "json.trailing-data 1:3 "),
            ("[1,\u{b}2]", "json.syntax 1:4 /1"),
            ("[1,\u{a0}2]", "json.syntax 1:4 /1"),
            ("\u{c}1", "json.syntax 1:1 "),
            ("[", "json.truncated 1:2 /0"),
            ("[1", "json.truncated 1:3 "),
            ("[1,", "json.truncated 1:4 /1"),
            ("{", "json.truncated 1:2 "),
            (#"{"a"#, "json.truncated 1:4 "),
            (#"{"a""#, "json.truncated 1:5 /a"),
            (#"{"a":"#, "json.truncated 1:6 /a"),
            (#"{"a":1"#, "json.truncated 1:7 "),
            (#"{"a":1,"#, "json.truncated 1:8 "),
            (#""a"#, "json.truncated 1:3 "),
            (#""a\"#, "json.truncated 1:4 "),
        ])
    func refused(_ text: String, _ expected: String) {
        #expect(reading(text) == expected)
    }

    @Test("The details of a refusal are data")
    func details() {
        func detail(_ text: String) -> JSONProblem? {
            do throws(JSONError) {
                _ = try JSONDocument.parse(Array(text.utf8))
                return nil
            } catch {
                return error.detail
            }
        }
        #expect(detail("") == .empty)
        #expect(detail("[") == .truncated)
        #expect(detail("[1,]") == .trailingComma)
        #expect(detail("[1 /* */]") == .comment)
        #expect(detail("{1") == .unexpected(byte: 0x31, expected: .nameOrEndOfObject))
        #expect(detail(#"{"a":1,1"#) == .unexpected(byte: 0x31, expected: .name))
        #expect(detail("[}") == .unexpected(byte: 0x7D, expected: .valueOrEndOfArray))
        #expect(detail("[1}") == .unexpected(byte: 0x7D, expected: .commaOrEndOfArray))
        #expect(detail(#"{"a";"#) == .unexpected(byte: 0x3B, expected: .colon))
        #expect(detail("nil") == .unexpected(byte: 0x69, expected: .literal))
        #expect(
            detail("{\"a\":1,\n\"b\":2,\"a\":3}")
                == .duplicateName(first: JSONPosition(line: 1, column: 2)))
    }

    @Test("Every cut of a document is refused as truncated")
    func cuts() {
        let text = Array(#"{"a":[1,-2.5e3,{"ü\n":"\ud83d\ude00x"},true,false,null],"b":{}}"#.utf8)
        #expect(refusal(text) == nil)
        for length in 0..<text.count {
            let code = refusal(Array(text[..<length]))
            #expect(code == "json.truncated" || code == "json.utf8", "cut to \(length) bytes")
        }
    }
}
