import Foundation
import GronaFormats
import Testing

@Suite("Times")
struct UnixTimeTests {
    @Test(
        "RFC 3339 with an offset is read to the second",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59Z", -1),
            ("2020-01-01T00:00:00Z", 1_577_836_800),
            ("2100-01-01T00:00:00Z", 4_102_444_800),
            ("2026-10-29T09:00:00Z", 1_793_264_400),
            ("2026-10-29T10:00:00+01:00", 1_793_264_400),
            ("2026-10-29T03:30:00-05:30", 1_793_264_400),
            ("2026-10-29T09:00:00-00:00", 1_793_264_400),
            ("2026-10-30T08:59:00+23:59", 1_793_264_400),
            ("2024-02-29T00:00:00Z", 1_709_164_800),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2024-12-31T23:59:59Z", 1_735_689_599),
            ("2024-12-31t23:59:59z", 1_735_689_599),
            ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ])
    func reads(text: String, seconds: Int64) throws {
        #expect(try UnixTime(rfc3339: text).seconds == seconds)
    }

    @Test(
        "what RFC 3339 does not allow, or a source may not say, is refused by its reason",
        arguments: [
            ("", TimeError.syntax),
            ("2026-10-29", .syntax),
            ("2026-10-29T09:00Z", .syntax),
            ("2026-10-29 09:00:00Z", .syntax),
            ("2026-10-29s09:00:00Z", .syntax),
            ("2026-10-29T09:00:00y", .syntax),
            ("26-10-29T09:00:00Z", .syntax),
            ("+2026-10-29T09:00:00Z", .syntax),
            ("2026-1-29T09:00:00Z", .syntax),
            ("2026-10-29T09:00:00Z ", .syntax),
            (" 2026-10-29T09:00:00Z", .syntax),
            ("2026-10-29T09:00:00+0100", .syntax),
            ("2026-10-29T09:00:00+01", .syntax),
            ("2026-10-29T09:00:00+01:00Z", .syntax),
            ("２026-10-29T09:00:00Z", .syntax),
            ("2026-10-29T09:00:00.0Z", .fraction),
            ("2026-10-29T09:00:00.5+01:00", .fraction),
            ("2026-10-29T23:59:60Z", .leapSecond),
            ("2026-10-29T09:00:00", .offsetMissing),
            ("2026-02-29T09:00:00Z", .noSuchTime),
            ("2100-02-29T09:00:00Z", .noSuchTime),
            ("2026-00-29T09:00:00Z", .noSuchTime),
            ("2026-13-29T09:00:00Z", .noSuchTime),
            ("2026-10-00T09:00:00Z", .noSuchTime),
            ("2026-10-32T09:00:00Z", .noSuchTime),
            ("2026-04-31T09:00:00Z", .noSuchTime),
            ("2026-10-29T24:00:00Z", .noSuchTime),
            ("2026-10-29T09:60:00Z", .noSuchTime),
            ("2026-10-29T09:00:61Z", .noSuchTime),
            ("2026-10-29T09:00:00+24:00", .noSuchTime),
            ("2026-10-29T09:00:00+01:60", .noSuchTime),
        ])
    func refuses(text: String, reason: TimeError) {
        #expect(throws: reason) { try UnixTime(rfc3339: text) }
    }

    @Test(
        "a time of a command line is Unix seconds or RFC 3339, from 2020 to 2100",
        arguments: [
            ("1577836800", 1_577_836_800), ("4102444800", 4_102_444_800),
            ("2020-01-01T00:00:00Z", 1_577_836_800), ("2100-01-01T00:00:00Z", 4_102_444_800),
            ("2100-01-01T01:00:00+01:00", 4_102_444_800),
        ])
    func readsEitherForm(text: String, seconds: Int64) throws {
        #expect(try UnixTime(text: text).seconds == seconds)
    }

    @Test(
        "a second beyond the bounds is refused, and so is another spelling of a number",
        arguments: [
            ("1577836799", TimeError.outOfBounds(UnixTime(1_577_836_799))),
            ("4102444801", .outOfBounds(UnixTime(4_102_444_801))),
            ("2019-12-31T23:59:59Z", .outOfBounds(UnixTime(1_577_836_799))),
            ("2100-01-01T00:00:01Z", .outOfBounds(UnixTime(4_102_444_801))),
            ("01793264400", .syntax), ("+1793264400", .syntax), ("-1", .syntax),
            ("1793264400.0", .syntax), ("1.8e9", .syntax), ("9223372036854775808", .syntax),
        ])
    func refusesBeyond(text: String, reason: TimeError) {
        #expect(throws: reason) { try UnixTime(text: text) }
    }

    @Test("what is written reads back, day by day over the bounds and at odd seconds")
    func writes() throws {
        var seconds = UnixTime.earliest.seconds
        while seconds <= UnixTime.latest.seconds {
            let text = try #require(UnixTime(seconds).rfc3339)
            #expect(try UnixTime(rfc3339: text).seconds == seconds)
            seconds += 86_400 * 3 + 3_607
        }
    }

    @Test("days are those of the platform's own calendar")
    func agreesWithFoundation() throws {
        let formatter = ISO8601DateFormatter()
        for day in stride(from: Int64(-25_000), to: 60_000, by: 97) {
            let seconds = day * 86_400 + 12_345
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(UnixTime(seconds).rfc3339 == formatter.string(from: date))
        }
    }

    @Test(
        "a year of other than four digits is not written",
        arguments: [
            (-62_167_219_200, true), (-62_167_219_201, false), (253_402_300_799, true),
            (253_402_300_800, false), (Int64.min, false), (Int64.max, false),
        ])
    func writesFourDigitYears(seconds: Int64, isWritten: Bool) {
        #expect((UnixTime(seconds).rfc3339 != nil) == isWritten)
    }

    @Test("sums that leave the integers are refused, never wrapped")
    func sums() {
        let nearEnd = UnixTime(.max - 1)
        #expect(nearEnd.adding(DurationSeconds(1)) == UnixTime(.max))
        #expect(nearEnd.adding(DurationSeconds(2)) == nil)
        let nearBeginning = UnixTime(.min + 1)
        #expect(nearBeginning.subtracting(DurationSeconds(1)) == UnixTime(.min))
        #expect(nearBeginning.subtracting(DurationSeconds(2)) == nil)
        #expect(UnixTime(.max).since(UnixTime(-1)).seconds == .max)
        #expect(UnixTime(.min).since(UnixTime(1)).seconds == .min)
        #expect(UnixTime(10).since(UnixTime(13)).seconds == -3)
    }
}
