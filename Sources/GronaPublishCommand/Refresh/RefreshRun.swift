import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing
import Synchronization

/// One run over many workspaces: look at all, find out what is due, renew it, the nearest end
/// first. What is wrong with one workspace is told in its line; the others go on.
struct RefreshRun {
    private let context: CommandContext
    private let work: RefreshWork
    private let jobs: Int

    init(
        _ context: CommandContext, _ store: any PublicationStore,
        _ ledger: any PublicationLedger, _ place: StateFolder.OfStore,
        within: DurationSeconds?, jobs: Int
    ) throws(Failure) {
        self.context = context
        self.jobs = jobs
        let identity = UserIdentity.current()
        // A run takes longer than one moment; a rehearsal has one time.
        let isFixed = context.isRehearsal || context.call[SharedOptions.now] != nil
        work = RefreshWork(
            store: store, ledger: ledger, staged: StagedEnvelopes(place),
            tags: store.readsConditionally ? ServedTags(place) : nil,
            trust: try WorkspaceTrust(context, takesPins: false),
            user: identity.name ?? String(identity.userID), within: within,
            fixedTime: isFixed ? context.now : nil, isRehearsal: context.isRehearsal)
    }

    /// Reads what is served for each workspace, and finds out what is due.
    func survey(_ entries: [WorkspaceSelection.Entry]) throws(Failure) -> [RefreshLine] {
        let snapshot: LedgerSnapshot
        do throws(PublicationLedgerError) { snapshot = try LedgerSnapshot(work.ledger) } catch {
            throw Failure(error)
        }
        let silence = RefreshSilence()
        return each(
            entries, unit: "workspaces",
            { [work] entry in work.look(at: entry, snapshot, silence) }, tell: { _ in })
    }

    /// Keeps for the next run what this one learned.
    func remember() { work.tags?.write() }

    /// Renews what is due, the nearest end first.
    func renew(
        _ outcome: inout RefreshOutcome, with signer: SignerSession,
        tell: @escaping @Sendable (RefreshLine) -> Void
    ) {
        let lines = outcome.lines
        let due = lines.indices
            .filter { lines[$0].isDue && lines[$0].trouble == nil }
            .sorted { lines[$0].deadline < lines[$1].deadline }
        let (silence, lies) = (RefreshSilence(), RefreshLies())
        let renewed = each(
            due, unit: "renewals",
            { [work] index in work.renew(lines[index], with: signer, silence, lies) },
            tell: { tell($0.line) })
        for (index, result) in zip(due, renewed) {
            outcome.lines[index] = result.line
            outcome.auditHead = result.auditHead ?? outcome.auditHead
        }
    }

    /// Does the same for each thing, with several threads that take one after the other; the
    /// answers come in the order of the things.
    private func each<Thing: Sendable, Answer: Sendable>(
        _ things: [Thing], unit: String, _ body: @escaping @Sendable (Thing) -> Answer,
        tell: @escaping @Sendable (Answer) -> Void
    ) -> [Answer] {
        let desk = RefreshDesk<Answer>(
            count: things.count,
            Progress(
                context.console, unit: unit, total: things.count,
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
private final class RefreshDesk<Answer: Sendable>: Sendable {
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
