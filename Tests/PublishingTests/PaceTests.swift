import Publishing
import Synchronization
import Testing

@Suite struct PaceTests {
    /// Time that passes only where somebody sleeps.
    private final class Time: Sendable {
        let now = Mutex<UInt64>(1_000_000_000)
        let slept = Mutex<[UInt64]>([])
    }

    private func sleeps(_ perSecond: Int?, _ count: Int, work: UInt64 = 0) -> [UInt64] {
        let time = Time()
        let pace = Pace(
            perSecond: perSecond, clock: { time.now.withLock { $0 } },
            sleep: { length in
                time.slept.withLock { $0.append(length) }
                time.now.withLock { $0 += length }
            })
        for _ in 0..<count {
            pace.wait()
            time.now.withLock { $0 += work }
        }
        return time.slept.withLock { $0 }
    }

    @Test func `The first comes at once, and each next one in its time`() {
        #expect(sleeps(4, 4) == [250_000_000, 250_000_000, 250_000_000])
    }

    @Test func `Work counts, and slow work is never held up`() {
        #expect(sleeps(4, 3, work: 100_000_000) == [150_000_000, 150_000_000])
        #expect(sleeps(4, 3, work: 250_000_000).isEmpty)
        #expect(sleeps(4, 3, work: 900_000_000).isEmpty)
    }

    @Test func `Without a limit nobody waits`() {
        #expect(sleeps(nil, 100).isEmpty)
    }
}
