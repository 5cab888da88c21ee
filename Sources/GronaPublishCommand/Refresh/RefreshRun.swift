import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing

/// One run over many workspaces: look at all, find out what is due, renew it, the nearest end
/// first. What is wrong with one workspace is told in its line; the others go on.
struct RefreshRun {
    private let work: RefreshWork
    private let crew: Crew
    /// Those that the last run tried in vain: they come last.
    private let last: Set<WorkspaceName>

    /// What is looked at and renewed before anything is asked for the other part, so that a store or
    /// a signer that is silent for some in every run keeps nobody else waiting.
    enum Part: CaseIterable {
        case likely
        /// Those that the last run tried in vain, and those that the selection leaves out.
        case doubtful
    }

    init(
        _ context: CommandContext, _ store: any PublicationStore,
        _ ledger: any PublicationLedger, _ place: StateFolder.OfStore,
        within: DurationSeconds?, jobs: Int, after memory: RefreshMemory?
    ) throws(Failure) {
        last = Set(memory?.triedInVain ?? [])
        crew = Crew(console: context.console, jobs: jobs)
        let identity = UserIdentity.current()
        // A run takes longer than one moment; a rehearsal has one time.
        let isFixed = context.isRehearsal || context.call[SharedOptions.now] != nil
        let staged = StagedEnvelopes(place)
        work = RefreshWork(
            store: store, ledger: ledger, staged: staged,
            held: memory?.unpublished ?? [:],
            tags: store.readsConditionally ? ServedTags(place) : nil,
            trust: try WorkspaceTrust(context, takesPins: false),
            user: identity.name ?? String(identity.userID), within: within,
            fixedTime: isFixed ? context.now : nil, isRehearsal: context.isRehearsal,
            isForOperators: context.console.isSpelled("grona-publish"))
    }

    /// What is known at the beginning.
    func snapshot() throws(Failure) -> LedgerSnapshot {
        do throws(PublicationLedgerError) { return try LedgerSnapshot(work.ledger) } catch {
            throw Failure(error)
        }
    }

    /// Reads what is served for each workspace of a part, and finds out what is due.
    func survey(
        _ selection: WorkspaceSelection, _ part: Part, _ snapshot: LedgerSnapshot
    ) throws(Failure) -> [RefreshLine] {
        let silence = RefreshSilence()
        let lines = crew.each(
            selection.entries.filter { last.contains($0.workspace) == (part == .doubtful) },
            unit: "workspaces",
            { [work] entry in work.look(at: entry, snapshot, silence) }, tell: { _ in })
        guard part == .doubtful else { return lines }
        let views: [WorkspaceName: LedgerView]
        do throws(PublicationLedgerError) { views = try snapshot.views() } catch {
            throw Failure(error)
        }
        let leftOut = selection.leftOut(servedBy: views, keys: work.trust.names)
            .compactMap { work.look(atLeftOut: $0, selection, snapshot, silence) }
        return lines + leftOut
    }

    /// The workspaces that have a keyring here.
    var known: Set<WorkspaceName> { work.trust.names }

    /// Keeps for the next run what this one learned.
    func remember() { work.tags?.write() }

    /// Renews what is due and was not tried yet, the nearest end first.
    func renew(
        _ outcome: inout RefreshOutcome, with signer: SignerSession,
        tell: @escaping @Sendable (RefreshLine) -> Void
    ) {
        let lines = outcome.lines
        let due = lines.indices.filter { lines[$0].isToDo }
            .sorted { lines[$0].deadline < lines[$1].deadline }
        let (silence, lies) = (RefreshSilence(), RefreshLies())
        let renewed = crew.each(
            due, unit: "renewals",
            { [work] index in work.renew(lines[index], with: signer, silence, lies) },
            tell: { tell($0.line) })
        for (index, result) in zip(due, renewed) {
            outcome.lines[index] = result.line
            if let head = result.auditHead { outcome.auditHeads[result.line.workspace] = head }
        }
    }
}
