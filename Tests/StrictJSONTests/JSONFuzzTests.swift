import Foundation
import StrictJSON
import Testing

@Suite("Damaged and random texts")
struct JSONFuzzTests {
    private static let seeds: [String] = [
        #"{"a":[1,-2.5e3,{"ü\n":"\ud83d\ude00x"},true,false,null],"b":{},"c":[[],[[]]]}"#,
        "[\n  {\"id\": \"offer-1\", \"enabled\": true, \"weight\": 10000},\r\n  \"日本語テキスト\"\n]",
        #"{"long member name one":0.1,"long member name two":1e-7,"a":"plain text of some length"}"#,
        #"[0,0.5,123456789012345.6,9007199254740991,5e-324,-0,"","\"\\\/\b\f\n\r\t\u0000"]"#,
        "\"" + String(repeating: "é😀ab", count: 30) + "\"",
    ]
    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "\\ufffe", "0",
            "-",
            ".", "e", "1e400", "1e-400", "9007199254740992", "NaN", "null", "tru", " ", "\r\n",
            "//",
            "\"a\":1,", "\u{feff}", "\u{1}", "\u{0}", "ÿ",
        ].map { Array($0.utf8) } + [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90], [0xE2, 0x82],
        ]

    private static func damaged(_ text: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...text.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: text.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
            case 1:
                text.removeSubrange(
                    place..<min(text.count, place + Int.random(in: 1...4, using: &random)))
            case 2 where place < text.count: text[place] = UInt8.random(in: 0...255, using: &random)
            case 3: text.removeSubrange(place...)
            default:
                let end = min(text.count, place + Int.random(in: 0...20, using: &random))
                text.insert(contentsOf: text[place..<end], at: place)
            }
        }
        return text
    }

    /// A value that Foundation has read, to be written by us.
    private static func value(_ object: Any) -> JSONValue {
        switch object {
        case let members as [String: Any]: .object(members.map { ($0.key, value($0.value)) })
        case let elements as [Any]: .array(elements.map { value($0) })
        case let text as String: .string(text)
        case let number as NSNumber:
            isBoolean(number) ? .boolean(number.boolValue) : .number(number.doubleValue)
        default: .null
        }
    }

    /// Foundation drops U+FEFF from strings, and rounds numbers of many digits twice.
    private static func isMisread(_ text: [UInt8]) -> Bool {
        let longNumber = /[0-9.]{18}/
        let string = String(decoding: text, as: UTF8.self)
        return string.unicodeScalars.contains("\u{feff}") || string.contains(longNumber)
    }

    private static func isBoolean(_ number: NSNumber) -> Bool {
        number === NSNumber(value: true) || number === NSNumber(value: false)
    }

    @Test(
        "Nothing traps; what is accepted is stable, and Foundation reads the same from it",
        arguments: 1...4)
    func mutations(_ seed: Int) throws {
        var random = SeededRandom(state: UInt64(seed))
        var accepted = 0
        for _ in 0..<2_500 {
            let origin = Array((Self.seeds.randomElement(using: &random) ?? "").utf8)
            let text = Self.damaged(origin, &random)
            let document: JSONDocument
            do throws(JSONError) {
                document = try JSONDocument.parse(text)
            } catch {
                #expect((0...text.count).contains(error.offset))
                #expect(error.position.line >= 1 && error.position.column >= 1)
                continue
            }
            accepted += 1
            let canonical = document.root.canonical()
            let again = try JSONDocument.parse(canonical)
            #expect(again.root.canonical() == canonical)
            for element in everything(document.root) {
                _ = (
                    element.string, element.double, element.integer, element.position,
                    element.pointer
                )
            }
            guard !Self.isMisread(text) else { continue }
            let foundation = try JSONSerialization.jsonObject(
                with: Data(text), options: [.fragmentsAllowed])
            #expect(
                Self.value(foundation).canonical() == canonical,
                "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(accepted > 100)
    }

    @Test("Random bytes are refused without a trap")
    func noise() {
        var random = SeededRandom(state: 77)
        for _ in 0..<5_000 {
            let alphabet: [UInt8] = Array("{}[]\",:\\u0123eE+-. \ntfnüé".utf8)
            let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            _ = reading(text)
            _ = reading(text.map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test("Documents with a value every second byte fill the nodes again and again")
    func dense() throws {
        for count in [1, 10, 15, 16, 17, 31, 32, 33, 100, 1_000, 5_000] {
            let flat = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
            #expect(reading(flat) == flat)
            let nested =
                "[" + Array(repeating: #"{"":[[],{}]}"#, count: count).joined(separator: ",") + "]"
            #expect(reading(nested) == nested)
            #expect(try root(nested).elements.allSatisfy { $0[""]?.count == 2 })
            let broken =
                "[" + Array(repeating: #"{"":[[],{}]}"#, count: count).joined(separator: ",") + ",x"
            #expect(reading(broken).hasSuffix(" /\(count)"))
        }
    }
}
