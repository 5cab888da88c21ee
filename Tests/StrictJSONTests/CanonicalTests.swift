import StrictJSON
import Testing

@Suite("The canonical form of RFC 8785")
struct CanonicalTests {
    @Test("The example of RFC 8785, 3.2.2, without the number that I-JSON leaves out")
    func example() {
        let text = #"""
            {
              "numbers": [333333333.33333329, 1E30, 4.50,
                          2e-3, 0.000000000000000000000000001],
              "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
              "literals": [null, true, false]
            }
            """#
        #expect(reading(text) == "json.number 2:35 /numbers/1")
        #expect(
            reading(text.replacing("1E30, ", with: ""))
                == #"{"literals":[null,true,false],"numbers":[333333333.3333333,4.5,0.002,1e-27],"#
                + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#)
        #expect(JSONValue.number(1e30).canonical() == Array("1e+30".utf8))
    }

    @Test("The sorting example of RFC 8785, 3.2.3")
    func sortingExample() throws {
        let element = try root(
            #"""
            {
              "\u20ac": "Euro Sign",
              "\r": "Carriage Return",
              "\ufb33": "Hebrew Letter Dalet With Dagesh",
              "1": "One",
              "\ud83d\ude00": "Emoji: Grinning Face",
              "\u0080": "Control",
              "\u00f6": "Latin Small Letter O With Diaeresis"
            }
            """#)
        let canonical = try JSONDocument.parse(element.canonical())
        #expect(
            canonical.root.members.compactMap(\.value.string) == [
                "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis",
                "Euro Sign", "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
            ])
    }

    @Test("Names are sorted by UTF-16 code units, in small and large objects, escaped or not")
    func order() {
        var random = SeededRandom(state: 16)
        let scalars = [
            "a", "b", "Z", "\u{7f}", "é", "\u{d7ff}", "\u{e000}", "\u{ffef}", "😀", "\u{10fffd}",
        ]
        for count in [2, 3, 10, 24, 25, 60] {
            for isEscaped in [false, true] {
                var names: Set<[UInt16]> = []
                while names.count < count {
                    let length = Int.random(in: 0...10, using: &random)
                    let name = (0..<length).compactMap { _ in scalars.randomElement(using: &random)
                    }
                    names.insert(Array(name.joined().utf16))
                }
                func text(_ names: [[UInt16]], escaped: Bool) -> String {
                    let members = names.map { name in
                        escaped
                            ? name.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }
                                .joined() : String(decoding: name, as: UTF16.self)
                    }
                    return "{" + members.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
                }
                let sorted = names.sorted { $0.lexicographicallyPrecedes($1) }
                let expected = text(sorted, escaped: false)
                #expect(
                    reading(text(names.shuffled(using: &random), escaped: isEscaped)) == expected)
                #expect(reading(text(sorted, escaped: isEscaped)) == expected)
            }
        }
    }

    @Test(
        "Strings pass by code points; only what must be is escaped",
        arguments: [
            (#""\u0000\u0001\u001f""#, #""\u0000\u0001\u001f""#),
            (#""\u0008\u0009\u000a\u000c\u000D\u0022\u005c\u002f""#, #""\b\t\n\f\r\"\\/""#),
            (#""\u007f\u0080\u2028""#, "\"\u{7f}\u{80}\u{2028}\""),
            (#""\b\t\n\f\r\"\\""#, #""\b\t\n\f\r\"\\""#),
            (#""e\u0301 \u00e9""#, "\"e\u{301} \u{e9}\""),
            (#""\ud83d\ude00""#, "\"😀\""),
            (#"["\/"]"#, #"["/"]"#),
            (#""\u001F""#, #""\u001f""#),
        ])
    func strings(_ text: String, _ expected: String) {
        #expect(Array(reading(text).utf8) == Array(expected.utf8))
    }

    @Test(
        "Blanks go, order is made, at every level",
        arguments: [
            ("[ ]", "[]"), ("{ }", "{}"), (" [ 1 , 2 ] ", "[1,2]"), ("[1, [2 ], 3]", "[1,[2],3]"),
            (
                #"{"b":{"d":1,"c":2},"a":[{"f":1,"e":2}]}"#,
                #"{"a":[{"e":2,"f":1}],"b":{"c":2,"d":1}}"#
            ),
            (#"{"a":1, "b":2}"#, #"{"a":1,"b":2}"#), (#"{"a" :1}"#, #"{"a":1}"#),
            (#"{"b":1.0,"a":1.50}"#, #"{"a":1.5,"b":1}"#), ("[[[]],{}]", "[[[]],{}]"),
            (
                #"{"a":[],"b":[1e15,1e15,1e15,1e15,1e15,1e15]}"#,
                #"{"a":[],"b":["#
                    + Array(repeating: "1000000000000000", count: 6).joined(separator: ",")
                    + "]}"
            ),
        ])
    func structure(_ text: String, _ expected: String) {
        #expect(reading(text) == expected)
        #expect(reading(expected) == expected)
    }

    @Test("Names that ascend by UTF-8 but not by UTF-16 are put in order, the others stay")
    func ascendingBytes() {
        let sorted = "{\"😀\":1,\"\u{e000}\":2}"
        #expect(reading("{\"\u{e000}\":2,\"😀\":1}") == sorted)
        #expect(reading(sorted) == sorted)
        let long = "{\"same start 😀\":1,\"same start \u{ffee}\":2}"
        #expect(reading("{\"same start \u{ffee}\":2,\"same start 😀\":1}") == long)
        #expect(reading(long) == long)
    }

    @Test("Part of a document is written like the whole of it")
    func parts() throws {
        let element = try root(#"{"a":[1.0,{"c":1,"b":2}], "d": "\/"}"#)
        #expect(element["a"]?.canonical() == Array(#"[1,{"b":2,"c":1}]"#.utf8))
        #expect(element["d"]?.canonical() == Array(#""/""#.utf8))
    }

    @Test("A value that was built is written in the same form")
    func values() throws {
        let part = try root(#"{"z":1.0, "y":[]}"#)
        let value = JSONValue.object([
            ("ﬁ", .null), ("😀", .boolean(true)),
            ("a", .array([.integer(-5), .number(0.5), .boolean(false)])),
            ("part", .element(part)), ("text", .string("a\"\\\u{1}é\n")), ("empty", .object([])),
            ("list", .array([])),
        ])
        #expect(
            String(decoding: value.canonical(), as: UTF8.self)
                == #"{"a":[-5,0.5,false],"empty":{},"list":[],"part":{"y":[],"z":1},"#
                + #""text":"a\"\\\u0001é\n","😀":true,"ﬁ":null}"#)
        #expect(reading(value.canonical()) == String(decoding: value.canonical(), as: UTF8.self))
    }

    @Test("Of two members of one name the later is written; names are compared by bytes")
    func equalNames() {
        let value = JSONValue.object([
            ("a", .integer(1)), ("\u{e9}", .integer(2)), ("a", .integer(3)),
            ("e\u{301}", .integer(4)),
        ])
        #expect(value.canonical() == Array("{\"a\":3,\"e\u{301}\":4,\"\u{e9}\":2}".utf8))
    }

    @Test("Integers are written with all their digits")
    func integers() {
        for value in [0, -1, Int64.max, Int64.min] {
            #expect(JSONValue.integer(value).canonical() == Array(String(value).utf8))
        }
    }
}
