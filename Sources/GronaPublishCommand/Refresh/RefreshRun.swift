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
    /// Those that the last run asked for in vain: they come last.
    private let last: Set<WorkspaceName>

    init(
        _ context: CommandContext, _ store: any PublicationStore,
        _ ledger: any PublicationLedger, _ place: StateFolder.OfStore,
        within: DurationSeconds?, jobs: Int, last: [WorkspaceName]
    ) throws(Failure) {
        self.last = Set(last)
        crew = Crew(console: context.console, jobs: jobs)
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
    func survey(_ selection: WorkspaceSelection) throws(Failure) -> [RefreshLine] {
        let entries = selection.entries
        let snapshot: LedgerSnapshot
        do throws(PublicationLedgerError) { snapshot = try LedgerSnapshot(work.ledger) } catch {
            throw Failure(error)
        }
        let silence = RefreshSilence()
        let order =
            entries.filter { !last.contains($0.workspace) }
            + entries.filter { last.contains($0.workspace) }
        let lines = crew.each(
            order, unit: "workspaces",
            { [work] entry in work.look(at: entry, snapshot, silence) }, tell: { _ in })
        let views: [WorkspaceName: LedgerView]
        do throws(PublicationLedgerError) { views = try snapshot.views() } catch {
            throw Failure(error)
        }
        let leftOut = selection.leftOut(servedBy: views, keys: work.trust.names)
            .compactMap { work.look(atLeftOut: $0, selection, snapshot, silence) }
        return (lines + leftOut).sorted { $0.workspace < $1.workspace }
    }

    /// Keeps for the next run what this one learned.
    func remember() { work.tags?.write() }

    /// Renews what is due, the nearest end first; those last that were asked for in vain before.
    func renew(
        _ outcome: inout RefreshOutcome, with signer: SignerSession,
        tell: @escaping @Sendable (RefreshLine) -> Void
    ) {
        let lines = outcome.lines
        let due = lines.indices
            .filter { lines[$0].isDue && lines[$0].trouble == nil }
            .sorted { first, second in
                let isLast = last.contains(lines[first].workspace)
                guard isLast == last.contains(lines[second].workspace) else { return !isLast }
                return lines[first].deadline < lines[second].deadline
            }
        let (silence, lies) = (RefreshSilence(), RefreshLies())
        let renewed = crew.each(
            due, unit: "renewals",
            { [work] index in work.renew(lines[index], with: signer, silence, lies) },
            tell: { tell($0.line) })
        for (index, result) in zip(due, renewed) {
            outcome.lines[index] = result.line
            outcome.auditHead = result.auditHead ?? outcome.auditHead
        }
    }
}
