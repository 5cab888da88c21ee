import CLinux
internal import Glibc
import Synchronization

/// Threads that all do the same, and that are over when the call returns.
package enum Workers {
    private final class Team: Sendable {
        let work: @Sendable () -> Void
        let left: Mutex<UInt32>
        let word: HandOverWord

        init(_ count: UInt32, _ work: @escaping @Sendable () -> Void) {
            self.work = work
            left = Mutex(count)
            word = HandOverWord(count)
        }

        func end() {
            left.withLock { left in
                left -= 1
                word.set(left)
            }
        }
    }

    /// Does the work on up to so many threads at once, of which this one is the first; where no more
    /// can be started, on those that there are.
    package static func run(_ count: Int, _ work: @escaping @Sendable () -> Void) {
        let more = UInt32(clamping: max(0, count - 1))
        let team = Team(more, work)
        for _ in 0..<more {
            let argument = unsafe Unmanaged.passRetained(team)
            let failure = unsafe grona_start_thread(
                { argument in
                    guard let argument = unsafe argument else { return nil }
                    let team = unsafe Unmanaged<Team>.fromOpaque(argument).takeRetainedValue()
                    team.work()
                    team.end()
                    return nil
                }, argument.toOpaque())
            if failure != 0 {
                unsafe argument.release()
                team.end()
            }
        }
        work()
        while true {
            let left = team.left.withLock { $0 }
            if left == 0 { return }
            _ = team.word.wait(whileIt: left, until: .max)
        }
    }
}
