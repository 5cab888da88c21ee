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

    init(_ context: CommandContext, _ place: StateFolder.OfStore, metrics: FilePath?) {
        self.context = context
        self.metrics = metrics
        memory = RefreshMemory(place)
    }

    // MARK: Before anything is signed

    mutating func check(
        _ selection: WorkspaceSelection, accepting: Bool
    ) throws(Failure) {
        guard selection.isInventory else { return }
        let count = selection.entries.count
        if let problem = InventoryRule.problem(count, before: memory.inventory), !accepting {
            throw RefreshWording.inventory(problem)
        }
        memory.inventory = count
    }

    mutating func check(
        clockOf ledger: any PublicationLedger, offset: Int64?, accepting: Bool
    ) throws(Failure) {
        let now = UnixTime(SystemClock.unixTime())
        let newest: UnixTime?
        do throws(PublicationLedgerError) {
            newest = try (ledger as? FileLedger)?.newestTime()
        } catch {
            throw Failure(error)
        }
        guard
            let problem = ClockRule.problem(now: now, newestLine: newest, serverOffset: offset)
        else { return }
        let failure = RefreshWording.clock(problem, now: now)
        guard accepting else { throw failure }
        memory.acceptedClock = now
        var warning = failure.reason
        warning.severity = .warning
        warning.help = "somebody answers for it"
        context.console.report(warning)
    }

    // MARK: The end

    /// Writes both; answers with what the run ends.
    ///
    /// - Parameter status: with what it ends where it was stopped.
    @discardableResult
    mutating func end(with status: ExitStatus?) -> ExitStatus {
        let now =
            context.call[SharedOptions.now] ?? UnixTime(SystemClock.unixTime())
        var exit = status ?? outcome.exit(at: now)
        if exit == .success { memory.lastSuccess = now }
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
