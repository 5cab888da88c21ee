import CommandLineKit
import LinuxIO
import Synchronization

/// Several threads that take one thing after the other.
struct Crew: Sendable {
    let console: Console
    let jobs: Int

    /// Does the same for each thing; the answers come in the order of the things.
    ///
    /// - Parameter tell: is told each answer as soon as it is there, on any thread.
    func each<Thing: Sendable, Answer: Sendable>(
        _ things: [Thing], unit: String, _ body: @escaping @Sendable (Thing) -> Answer,
        tell: @escaping @Sendable (Answer) -> Void
    ) -> [Answer] {
        let desk = CrewDesk<Answer>(
            count: things.count,
            Progress(
                console, unit: unit, total: things.count,
                clock: SystemClock.monotonicNanoseconds))
        Workers.run(min(jobs, things.count)) {
            while let place = desk.next() {
                let answer = body(things[place])
                tell(answer)
                desk.put(answer, at: place)
            }
        }
        return desk.finish()
    }
}

/// Where threads get their next thing, and leave what came of it.
private final class CrewDesk<Answer: Sendable>: Sendable {
    private struct State: ~Copyable {
        var next = 0
        var answers: [Answer?]
        var progress: Progress?
    }

    private let count: Int
    private let state: Mutex<State>

    init(count: Int, _ progress: consuming sending Progress) {
        self.count = count
        state = Mutex(
            State(answers: Array(repeating: nil, count: count), progress: consume progress))
    }

    func next() -> Int? {
        state.withLock { state in
            guard state.next < count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    func put(_ answer: Answer, at place: Int) {
        state.withLock { state in
            state.answers[place] = answer
            state.progress?.advance()
        }
    }

    func finish() -> [Answer] {
        state.withLock { state in
            state.progress.take()?.finish()
            let answers = state.answers.compactMap(\.self)
            state.answers = []
            return answers
        }
    }
}
