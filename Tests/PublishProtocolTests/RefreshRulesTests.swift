import GronaFormats
import Testing

@testable import PublishProtocol

@Suite struct RefreshRulesTests {
    @Test(
        "A clock is believed up to 60 s behind the ledger and 30 s away from the servers",
        arguments: [
            (60, nil, nil), (61, nil, ClockRule.Problem.behindLedger(UnixTime(1_061))),
            (-10_000_000, nil, nil), (nil, 30, nil), (nil, -30, nil),
            (nil, 31, .awayFromServers(31)), (nil, -31, .awayFromServers(-31)),
            (61, 31, .behindLedger(UnixTime(1_061))), (nil, .min, .awayFromServers(.min)),
            (nil, nil, nil),
        ] as [(Int64?, Int64?, ClockRule.Problem?)])
    func clock(_ ahead: Int64?, _ offset: Int64?, _ problem: ClockRule.Problem?) {
        #expect(
            ClockRule.problem(
                now: UnixTime(1_000), newestLine: ahead.map { UnixTime(1_000 + $0) },
                serverOffset: offset) == problem)
    }

    @Test(
        "An inventory may lose 1 %, or five",
        arguments: [
            (0, nil, false), (1, nil, true), (0, 3, false), (95, 100, true), (94, 100, false),
            (594, 600, true), (593, 600, false), (990, 1_000, true), (989, 1_000, false),
            (5_000, 10_000, false), (9_900, 10_000, true), (9_899, 10_000, false), (5, 3, true),
            (1, 6, true), (1, 7, false),
        ] as [(Int, Int?, Bool)])
    func inventory(_ count: Int, _ before: Int?, _ isTaken: Bool) {
        #expect((InventoryRule.problem(count, before: before) == nil) == isTaken)
    }
}
