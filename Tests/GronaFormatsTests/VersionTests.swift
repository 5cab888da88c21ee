import GronaFormats
import Testing

@Suite("Versions of SDKs and configs")
struct VersionTests {
    @Test(
        "an SDK's version is three numbers of up to nine digits",
        arguments: ["0.0.0", "1.4.0", "10.20.30", "999999999.999999999.999999999"])
    func sdkVersions(text: String) {
        #expect(SDKVersion(text)?.description == text)
    }

    @Test(
        "anything else is no SDK version",
        arguments: [
            "", "1", "1.4", "1.4.0.0", "1..0", ".1.0", "1.4.", "01.4.0", "1.04.0", "1.4.00",
            "1000000000.0.0", "1.4.1000000000", "1.4.0-beta", "v1.4.0", "+1.4.0", "-1.4.0",
            "1.4.0 ", " 1.4.0", "1,4,0", "1.4.٣",
        ])
    func noSDKVersions(text: String) {
        #expect(SDKVersion(text) == nil)
    }

    @Test(
        "SDK versions are compared as numbers, part by part",
        arguments: [
            ("1.9.0", "1.10.0"), ("1.4.0", "1.4.1"), ("0.999999999.0", "1.0.0"),
            ("1.4.9", "1.5.0"), ("2.0.0", "10.0.0"),
        ])
    func sdkOrder(lower: String, higher: String) throws {
        let lower = try #require(SDKVersion(lower))
        let higher = try #require(SDKVersion(higher))
        #expect(lower < higher)
        #expect(!(higher < lower))
    }

    @Test("a config's version goes from 1 to 2^53−1")
    func configBounds() {
        #expect(ConfigVersion(0) == nil)
        #expect(ConfigVersion(1) == .first)
        #expect(ConfigVersion(9_007_199_254_740_991) == .last)
        #expect(ConfigVersion(9_007_199_254_740_992) == nil)
        #expect(ConfigVersion(-1) == nil)
        #expect(ConfigVersion.last.next == nil)
        #expect(ConfigVersion.first.next?.number == 2)
        #expect(ConfigVersion.last.advanced(by: .max) == nil)
        #expect(ConfigVersion.first.advanced(by: -1) == nil)
        #expect(ConfigVersion.first.advanced(by: 1000)?.number == 1001)
    }

    @Test(
        "a config's version on a command line has one spelling",
        arguments: [
            ("1", 1), ("9007199254740991", 9_007_199_254_740_991), ("0", nil), ("007", nil),
            ("+5", nil), ("-5", nil), ("1e3", nil), ("1.0", nil), (" 1", nil), ("1 ", nil),
            ("", nil), ("9007199254740992", nil), ("9223372036854775808", nil), ("１", nil),
        ] as [(String, Int64?)])
    func configSpelling(text: String, number: Int64?) {
        #expect(ConfigVersion(decimal: text)?.number == number)
    }

    @Test("sixteen digits name a version in a store, and read back")
    func sixteenDigits() {
        #expect(ConfigVersion.first.sixteenDigits == "0000000000000001")
        #expect(ConfigVersion.last.sixteenDigits == "9007199254740991")
        #expect(ConfigVersion(sixteenDigits: "0000000000000001".utf8) == .first)
        #expect(ConfigVersion(sixteenDigits: "9007199254740991".utf8) == .last)
        for text in [
            "000000000000001", "00000000000000001", "0000000000000000",
            "9007199254740992", "+000000000000001", "000000000000000a",
        ] {
            #expect(ConfigVersion(sixteenDigits: text.utf8) == nil)
        }
    }
}
