import StrictJSON
import Testing

@Suite("Lines end with LF, CRLF or CR; columns count Unicode scalar values")
struct JSONPositionTests {
    @Test(
        "A problem is named by line, column and pointer",
        arguments: [
            ("[1,\n 2,\n  x]", "json.syntax 3:3 /2"),
            ("[1,\r\n 2,\r\n  x]", "json.syntax 3:3 /2"),
            ("[1,\r 2,\r  x]", "json.syntax 3:3 /2"),
            ("[1,\n\r\n\r x]", "json.syntax 4:2 /1"),
            ("[\t1,\tx]", "json.syntax 1:6 /1"),
            (#"["äöü", x]"#, "json.syntax 1:9 /1"),
            (#"["😀", x]"#, "json.syntax 1:7 /1"),
            ("[\"e\u{301}\", x]", "json.syntax 1:8 /1"),
            ("[\"\u{2028}\", x]", "json.syntax 1:7 /1"),
            (#"{"😀": {"é~/": [0, x]}}"#, "json.syntax 1:19 /😀/é~0~1/1"),
            (#"{"\u00e9\n": x}"#, "json.syntax 1:14 /é\n"),
            (#"{"a":[{},{"b":[[],[1,{"c":x}]]}]}"#, "json.syntax 1:27 /a/1/b/1/1/c"),
            (#"{"a":{"b":1},"c":x}"#, "json.syntax 1:18 /c"),
            (#"[[],[],{"a":1}, x]"#, "json.syntax 1:17 /3"),
            ("[1,\n2\n", "json.truncated 3:1 "),
            ("\"a\nb\"", "json.control-character 1:3 "),
            ("{\"a\":1,\n \"b\":1,\n \"a\":1}", "json.duplicate-name 3:2 /a"),
        ])
    func problems(_ text: String, _ expected: String) {
        #expect(reading(text) == expected)
    }

    @Test("The place of malformed UTF-8 is the first of its bytes")
    func malformed() {
        let bytes = Array("[\"é\",\r\n\"ü".utf8) + [0xC3, 0x22, 0x5D]
        #expect(reading(bytes) == "json.utf8 2:3 /1")
    }

    @Test("The offset counts bytes")
    func offset() {
        do throws(JSONError) {
            _ = try JSONDocument.parse(Array("[\"é\",\n x]".utf8))
        } catch {
            #expect(error.offset == 8)
            #expect(error.position == JSONPosition(line: 2, column: 2))
        }
    }

    @Test("Every element knows its line and column")
    func elements() throws {
        let element = try root("{\r\n  \"ä\": [1,\n\t\"😀\", {}],\r  \"b\": null\n}")
        let places = everything(element).map {
            "\($0.pointer) \($0.position.line):\($0.position.column)"
        }
        #expect(
            places.sorted() == [
                " 1:1", "/b 4:8", "/ä 2:8", "/ä/0 2:9", "/ä/1 3:2", "/ä/2 3:7",
            ])
    }

    @Test("Twenty thousand places of one document are found at once")
    func manyPlaces() throws {
        let line = "  [\"ü\", 1],\r\n"
        let text = "[\n" + String(repeating: line, count: 20_000) + "  0]"
        for (index, element) in try root(text).elements.enumerated() {
            #expect(element.position == JSONPosition(line: index + 2, column: 3))
        }
    }
}
