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
    private var memory: RefreshMemory
    private var isClockBelieved = false
    private var list: List?

    private struct List {
        let name: String
        let count: Int
        let isAccepted: Bool
    }

    init(
        _ context: CommandContext, _ place: StateFolder.OfStore, metrics: FilePath?
    ) throws(Failure) {
        self.context = context
        self.metrics = metrics
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
        if let problem = memory.problem(of: selection), !accepting {
            throw RefreshWording.inventory(problem)
        }
        list = List(name: name, count: selection.entries.count, isAccepted: accepting)
    }

    mutating func check(
        clockOf ledger: any PublicationLedger, offset: Int64?, accepting: Bool
    ) throws(Failure) {
        let now = UnixTime(SystemClock.unixTime())
        var times = LedgerTimes()
        do throws(PublicationLedgerError) {
            times = try (ledger as? FileLedger)?.times() ?? times
        } catch {
            throw Failure(error)
        }
        // A ledger in a store is everybody's; when this host ran last, it knows by itself.
        let ours = memory.acceptedClock?.newest(of: times) ?? times.newest
        let newest = [ours, memory.lastRun].compactMap(\.self).max()
        let problem = ClockRule.problem(now: now, newestLine: newest, serverOffset: offset)
        isClockBelieved = true
        guard let problem else { return }
        let failure = RefreshWording.clock(problem, now: now)
        guard accepting else {
            isClockBelieved = false
            throw failure
        }
        memory.acceptedClock = AcceptedClock(
            time: now, newest: times.newest, lines: times.lines)
        var warning = failure.reason
        warning.severity = .warning
        warning.help = "somebody answers for it"
        context.console.report(warning)
    }

    /// Those that the last run tried in vain.
    var triedInVain: [WorkspaceName] { memory.triedInVain }

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
        // A list of which hardly anything could be read may be the wrong one.
        let read = outcome.lines.count { $0.look != nil }
        if let list, list.isAccepted || 2 * read >= list.count {
            memory.inventories[list.name] = list.count
        }
        if isClockBelieved { memory.lastRun = now }
        if exit == .success {
            memory.lastSuccess = now
        } else if let last = memory.lastSuccess, last > now {
            // That of a clock that was ahead would keep an alert silent: nobody knows when it was.
            memory.lastSuccess = UnixTime(0)
        }
        let known = Set(outcome.lines.lazy.map(\.workspace))
        memory.triedInVain =
            outcome.lines.filter(\.wasTriedInVain).map(\.workspace)
            + memory.triedInVain.filter { !known.contains($0) }
        memory.take(outcome.lines)
        do throws(FileError) { try memory.write() } catch { add(Failure(writing: error)) }
        if metrics != nil {
            do throws(Failure) {
                let file = try StatusFile(metrics, mark: RefreshMetrics.firstLine, context)
                let text = RefreshMetrics(
                    outcome: outcome, now: now, lastSuccess: memory.lastSuccess, exit: exit
                ).text
                try file.commit { Array(text.utf8) }
            } catch {
                add(error)
            }
        }
        if status == nil { exit = outcome.exit(at: now) }
        return exit
    }

    private mutating func add(_ failure: Failure) {
        outcome.troubles.append(failure.reason)
        context.console.report(failure.reason)
    }
}
