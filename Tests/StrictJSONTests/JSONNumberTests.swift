import StrictJSON
import Testing

@Suite("Numbers that a double holds, and their one spelling")
struct JSONNumberTests {
    @Test(
        "A number is written as the double that it names",
        arguments: [
            ("0", "0"), ("-0", "0"), ("0.0", "0"), ("-0.0e5", "0"), ("0e400", "0"), ("0E-400", "0"),
            ("1", "1"), ("-1", "-1"), ("1.0", "1"), ("10", "10"), ("1e1", "10"), ("1E+1", "10"),
            ("100e-2", "1"), ("1.50", "1.5"), ("0.1", "0.1"), ("-0.5", "-0.5"), ("12.25", "12.25"),
            ("9007199254740991", "9007199254740991"), ("-9007199254740991", "-9007199254740991"),
            ("9007199254740990.5", "9007199254740990"), ("9007199254740991.0", "9007199254740991"),
            ("90071992547409.91e2", "9007199254740991"),
            ("4503599627370495.5", "4503599627370495.5"),
            ("0.000001", "0.000001"), ("0.0000010", "0.000001"), ("0.0000001", "1e-7"),
            ("1e-6", "0.000001"), ("1e-7", "1e-7"), ("0.00000123", "0.00000123"),
            ("5e-324", "5e-324"), ("2.5e-324", "5e-324"), ("3e-324", "5e-324"),
            ("2.2250738585072014e-308", "2.2250738585072014e-308"),
            ("2.2250738585072011e-308", "2.225073858507201e-308"), ("1e-308", "1e-308"),
            ("0.1000000000000000055511151231257827", "0.1"),
            ("123456789012345.6", "123456789012345.6"),
            ("0.30000000000000004", "0.30000000000000004"), ("1e15", "1000000000000000"),
            ("1.7976931348623157e-292", "1.7976931348623157e-292"),
            ("333333333.33333329", "333333333.3333333"),
            ("8.5899345920e9", "8589934592"), ("123456789.123456789", "123456789.12345679"),
        ])
    func written(_ literal: String, _ expected: String) throws {
        #expect(reading(literal) == expected)
        #expect(reading("[\(literal),1 ]") == "[\(expected),1]")
        #expect(try root(literal).double == Double(literal).map { $0 + 0 })
        #expect(try root(literal).double?.sign == Double(expected)?.sign)
    }

    @Test(
        "What is no JSON number, or no double of I-JSON, is refused",
        arguments: [
            "9007199254740992", "-9007199254740992", "9007199254740991.5", "9007199254740992.5",
            "9007199254740993", "99999999999999999999", "18446744073709551616",
            "-18446744073709551617", "36893488147419103239",
            "340282366920938463463374607431768211457", "1e16", "1e20", "1E300", "1e308",
            "0.9007199254740992e16", "1e309", "-1e309", "1e99999999999999999999", "2e-324",
            "-2e-324", "2.4703282292062327e-324", "1e-99999999999999999999", "0.0e", "00", "-00",
            "01", "-01", "007", "1.", "1.e1", ".5", "-.5", "-", "--1", "+1", "1e", "1e+", "1e1.5",
            "1.2.3", "1_000", "0x10", "1f", "NaN", "-NaN", "Infinity", "-Infinity", "1e5e5", "1-2",
        ])
    func refused(_ literal: String) {
        #expect(refusal("[\(literal)]") == "json.number")
        #expect(reading(#"{"a": \#(literal)}"#) == "json.number 1:7 /a")
    }

    @Test("A number that the text cuts off is truncated")
    func truncated() {
        for text in ["-", "1.", "1e", "1e+", "[-", "[1."] {
            #expect(refusal(text) == "json.truncated")
        }
    }

    @Test(
        "Only an integer literal is an integer",
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9007199254740991", 9_007_199_254_740_991),
            ("-9007199254740991", -9_007_199_254_740_991), ("1.0", nil), ("1e0", nil),
            ("10E1", nil),
            ("0.0", nil), ("-0e0", nil),
        ] as [(String, Int64?)])
    func integers(_ literal: String, _ expected: Int64?) throws {
        #expect(try root(literal).integer == expected)
        #expect(try root(literal).double != nil)
    }

    @Test("Literals of a million digits are rounded like short ones")
    func longLiterals() throws {
        let zeros = String(repeating: "0", count: 1_000_000)
        #expect(reading("0." + zeros + "1") == "json.number 1:1 ")
        #expect(reading("0." + zeros + "1e1000001") == "1")
        #expect(reading("1." + zeros) == "1")
        #expect(reading("1." + zeros + "1") == "1")
        #expect(reading("1" + zeros + "e-1000000") == "1")
        #expect(reading("1" + zeros) == "json.number 1:1 ")
        // Half way between 1 and the next double, and one digit more.
        let half = "1.00000000000000011102230246251565404236316680908203125"
        #expect(reading(half) == "1")
        #expect(reading(half + zeros) == "1")
        #expect(reading(half + zeros + "1") == "1.0000000000000002")
        #expect(reading("0" + String(half.dropFirst(1)) + zeros + "1") == "1.1102230246251565e-16")
        let nines = String(repeating: "9", count: 2_000)
        #expect(reading("0." + nines) == "1")
        #expect(reading("9007199254740991." + nines) == "json.number 1:1 ")
        #expect(reading("9007199254740990.4" + nines) == "9007199254740990")
    }

    @Test("Digits decide up to the 800th and stand for more after it")
    func decisiveDigits() throws {
        var random = SeededRandom(state: 1)
        for length in [17, 19, 20, 21, 100, 766, 767, 768, 798, 799, 800, 801, 802, 900] {
            for _ in 0..<20 {
                let digits = (0..<length).map { _ in
                    Character(String([0, 0, 0, 1, 5, 9].randomElement(using: &random) ?? 0))
                }
                let literal = "0.\(String(digits))1e\(Int.random(in: -300...15, using: &random))"
                #expect(try root(literal).double == Double(literal), "\(literal)")
            }
        }
    }

    @Test("Random doubles are read from every spelling of them")
    func randomDoubles() throws {
        var random = SeededRandom(state: 8785)
        for _ in 0..<3_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite, value.magnitude <= 9_007_199_254_740_991 else { continue }
            #expect(try root(value.description).double == value)
            let written = String(decoding: JSONValue.number(value).canonical(), as: UTF8.self)
            #expect(Double(written) == value)
            #expect(reading(written) == written)
        }
    }

    @Test(
        "The table of RFC 8785, appendix B",
        arguments: [
            (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"), (0x8000_0000_0000_0001, "-5e-324"),
            (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
            (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xC340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
            (0x44B5_2D02_C7E1_4AF6, "1e+23"),
            (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
            (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
            (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"),
            (0x444B_1AE4_D6E2_EF50, "1e+21"),
            (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
            (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
            (0x41B3_DE43_5555_5553, "333333333.3333332"),
            (0x41B3_DE43_5555_5554, "333333333.33333325"),
            (0x41B3_DE43_5555_5555, "333333333.3333333"),
            (0x41B3_DE43_5555_5556, "333333333.3333334"),
            (0x41B3_DE43_5555_5557, "333333333.33333343"),
            (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
            (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
        ] as [(UInt64, String)])
    func appendixB(_ bits: UInt64, _ expected: String) {
        let value = Double(bitPattern: bits)
        #expect(String(decoding: JSONValue.number(value).canonical(), as: UTF8.self) == expected)
    }

    @Test("What is not finite is written as null")
    func notFinite() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(JSONValue.number(value).canonical() == Array("null".utf8))
        }
    }
}
