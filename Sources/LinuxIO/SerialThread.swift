import CLinux
internal import Glibc
import Synchronization

/// A thread that runs one piece of work after another, for code that may hang: who asks waits with
/// a deadline, and after the first answer that did not come nothing more is asked.
///
/// After the first few pieces of work both sides share a processor for the time of each: only one of
/// them works at a time, and to wake a thread on another processor takes half as long as a signature.
/// What starts threads of its own does that in its first pieces of work.
package final class SerialThread: Sendable {
    /// What the thread and those who ask share.
    private final class Line: Sendable {
        let word: HandOverWord
        let job = Mutex<(@Sendable () -> Void)?>(nil)
        /// As the kernel numbers the thread; 0 before it runs.
        let thread = Atomic<Int32>(0)

        init() {
            word = HandOverWord(HandOverWord.idle)
        }
    }

    private struct Side {
        var isUsable = true
        var count = 0
        var processor: Int32 = -1
    }

    /// How many pieces of work run where they like.
    private static let apart = 16

    private let line = Line()
    private let side = Mutex(Side())

    package init() throws(SystemError) {
        let argument = unsafe Unmanaged.passRetained(line)
        let failure = unsafe grona_start_thread(
            { argument in
                guard let argument = unsafe argument else { return nil }
                SerialThread.work(
                    unsafe Unmanaged<Line>.fromOpaque(argument).takeRetainedValue())
                return nil
            }, argument.toOpaque())
        guard failure == 0 else {
            unsafe argument.release()
            throw SystemError(operation: "pthread_create", path: nil, errno: failure)
        }
    }

    deinit {
        _ = line.word.replace(HandOverWord.idle, with: HandOverWord.over)
    }

    /// Whether all answers came in time so far.
    package var isUsable: Bool { side.withLock { $0.isUsable } }

    /// Runs a piece of work on the thread and waits for it.
    ///
    /// - Parameter deadline: monotonic, in nanoseconds. Who waits for others has it, too.
    /// - Returns: `nil` where the answer did not come in time, then or ever before. The work may
    ///   still go on; what it holds stays.
    package func run<Answer: Sendable>(
        until deadline: UInt64, _ work: @escaping @Sendable () -> Answer
    ) -> Answer? {
        side.withLock { side in
            guard side.isUsable else { return nil }
            side.count += 1
            var processors = grona_processors()
            if side.count > Self.apart {
                unsafe grona_processor_share(
                    line.thread.load(ordering: .relaxed), &side.processor, &processors)
            }
            defer { unsafe grona_processor_leave(&processors) }
            let answer = Box<Answer>()
            line.job.withLock { $0 = { answer.value.withLock { $0 = work() } } }
            line.word.set(HandOverWord.asked)
            let seen = line.word.wait(whileIt: HandOverWord.asked, until: deadline)
            if seen == HandOverWord.asked,
                line.word.replace(HandOverWord.asked, with: HandOverWord.over)
            {
                side.isUsable = false
                return nil
            }
            return answer.value.withLock { $0 }
        }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private static func work(_ line: Line) {
        line.thread.store(grona_thread_id(), ordering: .relaxed)
        while true {
            let seen = line.word.wait(whileIt: HandOverWord.idle, until: .max)
            guard seen == HandOverWord.asked else { return }
            let job = line.job.withLock { job in
                defer { job = nil }
                return job
            }
            job?()
            guard line.word.replace(HandOverWord.asked, with: HandOverWord.idle) else { return }
        }
    }
}
