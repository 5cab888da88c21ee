import LinuxIO
import Synchronization
import Testing

@Suite("A thread for work that may hang")
struct SerialThreadTests {
    private func soon(_ milliseconds: UInt64 = 60_000) -> UInt64 {
        SystemClock.deadline(after: milliseconds * 1_000_000)
    }

    @Test("Answers come back, one after another, on one thread that is not the asker's")
    func answers() throws {
        let thread = try SerialThread()
        let log = Mutex<[Int]>([])
        for number in 0..<1_000 {
            let answer = thread.run(until: soon()) { number * 2 }
            log.withLock { $0.append(answer ?? -1) }
        }
        #expect(log.withLock { $0 } == (0..<1_000).map { $0 * 2 })
        #expect(thread.isUsable)
    }

    @Test("Several askers are served one at a time")
    func askers() async throws {
        let thread = try SerialThread()
        let tally = Tally()
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<200).reduce(0) { sum, _ in
                        let one = thread.run(until: SystemClock.deadline(after: 60_000_000_000)) {
                            let now = tally.inside.withLock {
                                $0 += 1
                                return $0
                            }
                            tally.most.withLock { $0 = max($0, now) }
                            tally.inside.withLock { $0 -= 1 }
                            return 1
                        }
                        return sum + (one ?? 0)
                    }
                }
            }
            var sum = 0
            for await part in group { sum += part }
            #expect(sum == 800)
        }
        #expect(tally.most.withLock { $0 } == 1)
    }

    @Test("After an answer that did not come in time nothing more is asked")
    func late() throws {
        let thread = try SerialThread()
        let tally = Tally()
        let start = SystemClock.monotonicNanoseconds()
        let answer: Int? = thread.run(until: soon(50)) {
            while !tally.gate.withLock({ $0 }) { SystemClock.sleep(nanoseconds: 1_000_000) }
            return 1
        }
        #expect(answer == nil)
        #expect(SystemClock.monotonicNanoseconds() - start < 2_000_000_000)
        #expect(!thread.isUsable)
        let second: Void? = thread.run(until: soon()) { tally.inside.withLock { $0 += 1 } }
        #expect(second == nil)
        tally.gate.withLock { $0 = true }
        SystemClock.sleep(nanoseconds: 20_000_000)
        #expect(tally.inside.withLock { $0 } == 0)
    }

    @Test("A pause longer than both sides spin is no end")
    func pauses() throws {
        let thread = try SerialThread()
        for _ in 0..<5 {
            SystemClock.sleep(nanoseconds: 2_000_000)
            #expect(
                thread.run(until: soon()) {
                    SystemClock.sleep(nanoseconds: 2_000_000)
                    return true
                } == true)
        }
    }
}

private final class Tally: Sendable {
    let inside = Mutex(0)
    let most = Mutex(0)
    let gate = Mutex(false)
}
