import StrictJSON
import Testing

@Suite("Strings: UTF-8, escapes, and the code points that I-JSON leaves out")
struct JSONTextTests {
    /// A string with some bytes in it, at each distance from the start and the end of the text.
    private func strings(_ bytes: [UInt8]) -> [[UInt8]] {
        var result: [[UInt8]] = []
        for before in 0..<12 {
            for after in [0, 9] {
                var text: [UInt8] = [0x22]
                text += [UInt8](repeating: 0x61, count: before)
                text += bytes
                text += [UInt8](repeating: 0x62, count: after)
                text.append(0x22)
                result.append(text)
            }
        }
        return result
    }

    @Test(
        "Malformed UTF-8 is refused",
        arguments: [
            [0x80], [0xBF], [0xFE], [0xFF], [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF],
            [0xC3], [0xC3, 0x28], [0xC3, 0xC3, 0xA9],
            [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1],
            [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
            [0xF0, 0x9F, 0x28, 0x80], [0xF0, 0x9F, 0x98, 0x28], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func malformed(_ bytes: [UInt8]) {
        for text in strings(bytes) {
            #expect(refusal(text) == "json.utf8")
        }
        #expect(refusal(bytes) == "json.utf8")
    }

    @Test(
        "The first and the last character of each length are read",
        arguments: [
            "\u{7f}", "\u{80}", "\u{7ff}", "\u{800}", "\u{d7ff}", "\u{e000}", "\u{fdcf}",
            "\u{fdf0}", "\u{fffd}", "\u{10000}", "\u{1fffd}", "\u{10fffd}", "\u{feff}", "éä€ﬁ😀",
        ])
    func wellFormed(_ text: String) throws {
        for bytes in strings(Array(text.utf8)) {
            let document = try JSONDocument.parse(bytes)
            #expect(document.root.utf8 == Array(bytes[1..<bytes.count - 1]))
            #expect(document.root.canonical() == bytes)
        }
    }

    @Test("Each code point is read exactly when it is a character", .timeLimit(.minutes(2)))
    func everyCodePoint() {
        var refused: [UInt32] = []
        for value in stride(from: UInt32(0x80), through: 0x10FFFF, by: 1) {
            // The planes repeat each other; their edges are what counts.
            guard value < 0x3000 || value & 0xFFFF < 0x40 || value & 0xFFFF > 0xFDA0,
                let scalar = Unicode.Scalar(value)
            else { continue }
            let raw = refusal("\"\(Character(scalar))\"")
            let units = String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            #expect(refusal("\"\(units.joined())\"") == raw)
            if raw == "json.noncharacter" { refused.append(value) }
        }
        let expected =
            Array(0xFDD0...0xFDEF) + (0...16).flatMap { [$0 << 16 | 0xFFFE, $0 << 16 | 0xFFFF] }
        #expect(refused == expected.map { UInt32($0) }.sorted())
    }

    @Test(
        "Every escape names its character",
        arguments: [
            (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{c}"),
            (#"\n"#, "\n"), (#"\r"#, "\r"), (#"\t"#, "\t"), (#"\u0000"#, "\u{0}"),
            (#"\u001F"#, "\u{1f}"), (#"\u0041"#, "A"), (#"\u00e9"#, "é"), (#"\u00E9"#, "é"),
            (#"\u07ff"#, "\u{7ff}"), (#"\u20AC"#, "€"), (#"\uD83D\uDE00"#, "😀"),
            (#"\ud800\udc00"#, "\u{10000}"), (#"\udbff\udffd"#, "\u{10fffd}"),
            (#"\\u0041"#, #"\u0041"#), (#"\uFEFF"#, "\u{feff}"),
        ])
    func escapes(_ escaped: String, _ decoded: String) throws {
        for (before, after) in [("", ""), ("abcdefg", "xyz"), ("é", "😀")] {
            let element = try root("\"\(before)\(escaped)\(after)\"")
            let expected = Array((before + decoded + after).utf8)
            #expect(element.utf8 == expected)
            #expect(element.string.map { Array($0.utf8) } == expected)
            #expect(element.equals(before + decoded + after))
        }
    }

    @Test(
        "What is no escape is refused",
        arguments: [
            (#""\x41""#, "json.escape 1:2 "), (#""\a""#, "json.escape 1:2 "),
            (#""\'""#, "json.escape 1:2 "), (#""\U0041""#, "json.escape 1:2 "),
            (#""\u004""#, "json.escape 1:2 "), (#""\u00g1""#, "json.escape 1:2 "),
            (#""\u+041""#, "json.escape 1:2 "), (#""a\u 041""#, "json.escape 1:3 "),
            (#""\u004"#, "json.truncated 1:2 "),
            (#""\ud800""#, "json.surrogate 1:2 "), (#""\udc00""#, "json.surrogate 1:2 "),
            (#""\ud83dx""#, "json.surrogate 1:2 "), (#""\ud83d\n""#, "json.surrogate 1:2 "),
            (#""\ud83d\u0041""#, "json.surrogate 1:2 "),
            (#""\ud83d\ud83d\ude00""#, "json.surrogate 1:2 "),
            (#""\ude00\ud83d""#, "json.surrogate 1:2 "),
            (#""\ufffe""#, "json.noncharacter 1:2 "), (#""\ufdd0""#, "json.noncharacter 1:2 "),
            (#""\ud83f\udffe""#, "json.noncharacter 1:2 "),
            (#"{"\ud800":1}"#, "json.surrogate 1:3 "),
            (#"{"a":{"b\q":1}}"#, "json.escape 1:9 /a"),
        ])
    func noEscapes(_ text: String, _ expected: String) {
        #expect(reading(text) == expected)
    }

    @Test("A control character in a string is refused, its escape and U+007F are not")
    func controls() {
        for byte in UInt8(1)..<0x20 {
            for text in strings([byte]) {
                #expect(refusal(text) == "json.control-character")
            }
        }
        #expect(refusal(Array("\"ab".utf8) + [0, 0x22]) == "json.control-character")
        #expect(refusal("\"\\u0001\u{7f}\"") == nil)
    }

    @Test("Marks and other encodings are named")
    func encodings() {
        let text = Array(#"{"a":1}"#.utf8)
        #expect(refusal([0xEF, 0xBB, 0xBF] + text) == "json.bom")
        #expect(refusal([0xFE, 0xFF] + text.flatMap { [0, $0] }) == "json.utf16")
        #expect(refusal([0xFF, 0xFE] + text.flatMap { [$0, 0] }) == "json.utf16")
        #expect(refusal(text.flatMap { [0, $0] }) == "json.utf16")
        #expect(refusal(text.flatMap { [$0, 0] }) == "json.utf16")
        #expect(refusal(text.flatMap { [0, 0, 0, $0] }) == "json.utf16")
        #expect(refusal([0xEF, 0xBB] + text) == "json.utf8")
        #expect(refusal([0xEF]) == "json.utf8")
        #expect(refusal([0]) == "json.syntax")
        #expect(refusal(text) == nil)
    }
}
