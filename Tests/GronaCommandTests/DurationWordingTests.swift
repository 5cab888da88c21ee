import GronaFormats
import Testing

@testable import GronaCommand

@Suite struct DurationWordingTests {
    @Test(
        "Two units at most, the largest first",
        arguments: [
            (0, "0s"), (59, "59s"), (60, "1m"), (3_599, "59m 59s"), (12_000, "3h 20m"),
            (86_399, "23h 59m"), (86_400, "1d"), (86_434, "1d"), (348_600, "4d 50m"),
            (1_209_586, "13d 23h"), (1_209_604, "14d"), (-86_434, "-1d"), (-1, "-1s"),
            (.max, "106751991167300d 15h"), (.min, "-106751991167300d 15h"),
        ] as [(Int64, String)])
    func short(_ seconds: Int64, _ words: String) {
        #expect(DurationWording.short(seconds) == words)
    }
}
