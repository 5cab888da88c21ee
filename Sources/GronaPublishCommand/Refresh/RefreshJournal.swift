import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing

/// What a run leaves behind: what the next run goes by, and metrics. Neither stops a renewal.
struct RefreshJournal {
    var outcome = RefreshOutcome()
    private let context: CommandContext
    private let metrics: FilePath?
    /// Nil where the run ended before it knew of which store.
    private(set) var memory: RefreshMemory?
    /// The workspaces that have a keyring here; nil where the run did not get so far.
    var known: Set<WorkspaceName>?
    private var isClockBelieved = false
    private let clock = SteadyClock(
        wall: UnixTime(SystemClock.unixTime()), uptime: SystemClock.uptimeNanoseconds())
    private var list: List?

    private struct List {
        let name: String
        let count: Int
        let isAccepted: Bool
    }

    init(_ context: CommandContext, metrics: FilePath?) {
        self.context = context
        self.metrics = metrics
    }

    /// Reads what the last run left behind.
    mutating func open(_ place: StateFolder.OfStore) throws(Failure) {
        memory = try RefreshMemory(place)
    }

    // MARK: Before anything is signed

    mutating func check(
        _ selection: WorkspaceSelection, accepting: Bool
    ) throws(Failure) {
        for problem in selection.problems {
            context.console.report(problem)
            outcome.troubles.append(problem)
        }
        guard let name = selection.list else { return }
        if let problem = memory?.problem(of: selection), !accepting {
            throw RefreshWording.inventory(problem, before: memory?.count(of: selection))
        }
        if let warning = memory?.warning(of: selection), !accepting {
            context.console.report(warning)
        }
        list = List(name: name, count: selection.entries.count, isAccepted: accepting)
    }

    mutating func check(
        clockOf ledger: any PublicationLedger, offset: Int64?, accepting: Bool
    ) throws(Failure) {
        let now = UnixTime(SystemClock.unixTime())
        let (problem, times) = try RefreshMemory.clockProblem(
            memory, ledger, offset: offset, now: now)
        isClockBelieved = true
        guard let problem else { return }
        let failure = RefreshWording.clock(problem, now: now)
        guard accepting else {
            isClockBelieved = false
            throw failure
        }
        memory?.acceptedClock = AcceptedClock(
            time: now, newest: times.newest, lines: times.lines)
        var warning = failure.reason
        warning.severity = .warning
        warning.help = "somebody answers for it"
        context.console.report(warning)
    }

    // MARK: The end

    /// Writes both; answers with what the run ends.
    ///
    /// - Parameter failure: why it was stopped; nil where it was not.
    @discardableResult
    mutating func end(with failure: Failure?) -> ExitStatus {
        let status = failure?.status
        if let failure { outcome.troubles.append(failure.reason) }
        outcome.stop =
            failure?.reason.code ?? (outcome.notBegun > 0 ? RefreshWording.stopped.code : nil)
        let now =
            context.call[SharedOptions.now] ?? UnixTime(SystemClock.unixTime())
        var exit = status ?? outcome.exit(at: now)
        if var memory {
            update(&memory, at: now)
            do throws(FileError) { try memory.write() } catch { add(Failure(writing: error)) }
            self.memory = memory
        }
        if metrics != nil {
            // Where nobody knows of which store, the last run's file knows more.
            let earlier = memory == nil ? RefreshMetrics.Earlier(in: metrics) : nil
            do throws(Failure) {
                let file = try StatusFile(metrics, mark: RefreshMetrics.firstLine, context)
                let text = RefreshMetrics(
                    outcome: outcome, now: now,
                    lastSuccess: memory?.lastSuccess ?? earlier?.lastSuccess,
                    auditHeads: memory?.auditHeads ?? earlier?.auditHeads ?? [:], exit: exit
                ).text
                try file.commit { Array(text.utf8) }
            } catch {
                add(RefreshWording.noMetrics(error, wasStopped: failure != nil))
            }
        }
        if status == nil { exit = outcome.exit(at: now) }
        return exit
    }

    /// What the next run goes by.
    private func update(_ memory: inout RefreshMemory, at now: UnixTime) {
        // A list of which hardly anything could be read may be the wrong one.
        let read = outcome.lines.count { $0.look != nil }
        if let list, list.isAccepted || 2 * read >= list.count {
            memory.inventories[list.name] = list.count
        }
        // One that was set during the run would stop later runs for as long as it was ahead.
        let wasSet =
            clock.problem(
                wall: UnixTime(SystemClock.unixTime()), uptime: SystemClock.uptimeNanoseconds())
            != nil
        if isClockBelieved, !wasSet { memory.lastRun = now }
        if outcome.isDone, !wasSet {
            memory.lastSuccess = now
        } else if let last = memory.lastSuccess, last > now {
            // That of a clock that was ahead would keep an alert silent: nobody knows when it was.
            memory.lastSuccess = UnixTime(0)
        }
        let listed = Set(outcome.lines.lazy.map(\.workspace))
        memory.triedInVain =
            outcome.lines.filter(\.wasTriedInVain).map(\.workspace)
            + memory.triedInVain.filter { !listed.contains($0) }
        memory.take(outcome.lines)
        if let known { memory.take(auditHeads: outcome.auditHeads, knowing: known) }
    }

    /// Ends a run that something stopped.
    mutating func ended(with failure: Failure) -> Failure {
        end(with: failure)
        return failure
    }

    private mutating func add(_ failure: Failure) {
        outcome.troubles.append(failure.reason)
        context.console.report(failure.reason)
    }
}
