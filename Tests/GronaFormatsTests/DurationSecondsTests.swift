import GronaFormats
import Testing

@Suite("Durations")
struct DurationSecondsTests {
    @Test(
        "whole numbers of one unit are read",
        arguments: [
            ("0", 0), ("1", 1), ("90s", 90), ("15m", 900), ("12h", 43_200), ("30d", 2_592_000),
            ("400d", 34_560_000), ("0d", 0), ("9223372036854775807", Int64.max),
            ("106751991167300d", 9_223_372_036_854_720_000),
        ])
    func reads(text: String, seconds: Int64) throws {
        #expect(try DurationSeconds(parsing: text).seconds == seconds)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "s", "d", "-1", "+1", "1.5h", "1e3", "007", "00", "01d", "1 d", " 1", "1 ", "1w",
            "1D", "1ms", "1h30m", "٣d", "0x10",
        ])
    func refuses(text: String) {
        #expect(throws: DurationError.syntax) { try DurationSeconds(parsing: text) }
    }

    @Test(
        "more seconds than fit are refused, never wrapped",
        arguments: [
            "9223372036854775808", "153722867280912931m", "2562047788015216h",
            "106751991167301d", "99999999999999999999999999999999d",
        ])
    func overflows(text: String) {
        #expect(throws: DurationError.overflow) { try DurationSeconds(parsing: text) }
    }

    @Test(
        "it is written in the largest unit that is whole, and reads back",
        arguments: [
            (0, "0s"), (59, "59s"), (60, "1m"), (90, "90s"), (3_600, "1h"), (86_400, "1d"),
            (129_600, "36h"), (34_560_000, "400d"),
        ])
    func writes(seconds: Int64, text: String) throws {
        #expect(DurationSeconds(seconds).description == text)
        #expect(try DurationSeconds(parsing: text).seconds == seconds)
    }
}
