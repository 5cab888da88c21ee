import LinuxIO
import Synchronization
import Testing

@Suite struct WorkersTests {
    @Test(arguments: [0, 1, 2, 16])
    func `All of them do it, and all are over when the call returns`(_ count: Int) {
        let tally = Tally()
        Workers.run(count) {
            tally.begun.withLock { $0 += 1 }
            SystemClock.sleep(nanoseconds: 1_000_000)
            tally.ended.withLock { $0 += 1 }
        }
        #expect(tally.begun.withLock { $0 } == max(1, count))
        #expect(tally.ended.withLock { $0 } == max(1, count))
    }

    private final class Tally: Sendable {
        let begun = Mutex(0)
        let ended = Mutex(0)
    }
}
