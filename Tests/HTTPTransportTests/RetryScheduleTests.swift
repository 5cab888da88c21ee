import HTTPTransport
import Testing

@Suite struct RetryScheduleTests {
    private static let second: UInt64 = 1_000_000_000

    private func waits(
        _ schedule: RetrySchedule, retryAfter: Int64? = nil, random: UInt64
    ) -> [UInt64] {
        var schedule = schedule
        var waits: [UInt64] = []
        while let wait = schedule.next(retryAfter: retryAfter, random: random) {
            waits.append(wait)
        }
        return waits
    }

    @Test func `Waits double from half to the whole`() {
        let schedule = RetrySchedule(first: 200, longest: 500, budget: 10_000, attempts: 5)
        #expect(waits(schedule, random: 0) == [100, 200, 250, 250])
        // The remainder of 100, 200 and 250 by 101, 201 and 251 is the largest part of chance.
        #expect(waits(schedule, random: 100)[0] == 200)
        for random: UInt64 in [1, 99, 12_345, .max] {
            for (wait, whole) in zip(waits(schedule, random: random), [200, 400, 500, 500]) {
                #expect((UInt64(whole / 2)...UInt64(whole)).contains(wait))
            }
        }
    }

    @Test func `What the server asks for is heeded up to the longest wait`() {
        let schedule = RetrySchedule()
        #expect(waits(schedule, retryAfter: 2, random: 0) == [2, 2, 2].map { $0 * Self.second })
        #expect(waits(schedule, retryAfter: 3_600, random: 0).allSatisfy { $0 == 5 * Self.second })
        #expect(waits(schedule, retryAfter: .max, random: 0).allSatisfy { $0 == 5 * Self.second })
        #expect(waits(schedule, retryAfter: 0, random: 0).first == 100_000_000)
    }

    @Test func `All waits stay within the budget`() {
        let schedule = RetrySchedule(budget: 12 * Self.second, attempts: 100)
        let all = waits(schedule, retryAfter: 5, random: 0)
        #expect(all.reduce(0, +) == 10 * Self.second)
        #expect(waits(RetrySchedule(attempts: 1), random: 0).isEmpty)
    }
}
