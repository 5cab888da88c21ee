import StrictJSON
import Testing

@Suite("Depth is counted from the outermost object or array, which is the first level")
struct JSONDepthTests {
    private func nested(_ depth: Int, _ start: String, _ middle: String, _ end: String) -> [UInt8] {
        Array(
            (String(repeating: start, count: depth) + middle + String(repeating: end, count: depth))
                .utf8)
    }

    @Test(
        "32 levels are read, 33 are not",
        arguments: [("[", "]"), (#"{"a":"#, "}"), ("[{\"a\":", "}]")])
    func limit(_ start: String, _ end: String) {
        let levels = start.hasPrefix("[{") ? 2 : 1
        #expect(refusal(nested(32 / levels, start, "1", end)) == nil)
        #expect(refusal(nested(32 / levels, start, "[]", end)) == "json.too-deep")
        #expect(refusal(nested(32 / levels, start, "{}", end)) == "json.too-deep")
    }

    @Test("Levels around the text count")
    func outerDepth() {
        for outer in [0, 1, 2, 31, 32] {
            let fits = nested(32 - outer, "[", "1", "]")
            let deep = nested(33 - outer, "[", "1", "]")
            #expect(reading(fits, outerDepth: outer) == String(decoding: fits, as: UTF8.self))
            #expect(reading(deep, outerDepth: outer).hasPrefix("json.too-deep"))
        }
    }

    @Test("The first level too many is where it is refused")
    func place() {
        let pointer = String(repeating: "/0", count: 32)
        #expect(reading(nested(40, "[", "1", "]")) == "json.too-deep 1:33 \(pointer)")
        #expect(reading(Array(#"{"a":[{}]}"#.utf8), maximumDepth: 2) == "json.too-deep 1:7 /a/0")
        #expect(reading(Array("1".utf8), maximumDepth: 0) == "1")
        #expect(reading(Array("[]".utf8), maximumDepth: 0) == "json.too-deep 1:1 ")
    }

    @Test("A million levels neither trap nor read on")
    func million() {
        #expect(refusal(nested(1_000_000, "[", "", "]")) == "json.too-deep")
        #expect(refusal([UInt8](repeating: 0x5B, count: 1_000_000)) == "json.too-deep")
    }

    @Test("Where 100,000 levels are allowed, they are read, asked for and written")
    func deepDocument() throws {
        let text = nested(100_000, "[", "1.0", "]")
        let document = try JSONDocument.parse(text, maximumDepth: 1_000_000)
        #expect(document.root.canonical() == nested(100_000, "[", "1", "]"))
        var error: JSONError?
        do throws(JSONError) {
            _ = try JSONDocument.parse(nested(100_000, "[", "x", "]"), maximumDepth: 1_000_000)
        } catch let refused {
            error = refused
        }
        #expect(error?.pointer == String(repeating: "/0", count: 100_000))
    }
}
