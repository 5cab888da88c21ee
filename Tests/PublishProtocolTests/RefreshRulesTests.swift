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
        "What somebody answered for is believed no more, and what was written since is",
        arguments: [
            // The ledger as it was: nothing is held against the clock but its own word.
            (9_000, 9_000, 5, 1_000), (9_000, 9_000, 6, 9_000), (9_000, 1_500, 6, 1_500),
            (9_000, 500, 6, 1_000), (9_001, 9_001, 6, 9_001), (9_001, 1_500, 7, 9_001),
            // A shorter one is another one.
            (2_000, 2_000, 4, 2_000),
        ] as [(Int64, Int64, Int, Int64)])
    func accepted(_ newest: Int64, _ last: Int64, _ lines: Int, _ expected: Int64) {
        let clock = AcceptedClock(time: UnixTime(1_000), newest: UnixTime(9_000), lines: 5)
        let times = LedgerTimes(newest: UnixTime(newest), last: UnixTime(last), lines: lines)
        #expect(clock.newest(of: times) == UnixTime(expected))
    }

    @Test(
        "A clock that is set while a run goes on is noticed",
        arguments: [
            (100, nil), (130, nil), (131, 31), (70, nil), (69, -31), (34_560_100, 34_560_000),
        ] as [(Int64, Int64?)])
    func steady(_ passed: Int64, _ offset: Int64?) {
        let clock = SteadyClock(wall: UnixTime(1_000), uptime: 5_000_000_000)
        #expect(
            clock.problem(wall: UnixTime(1_000 + passed), uptime: 105_000_000_000)
                == offset.map { .set(by: $0) })
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
