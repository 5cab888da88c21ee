import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing
import StrictJSON

/// `refresh [WORKSPACE…|--all]`: one run for a timer.
enum RefreshCommand {
    private static let within = Option(
        "within", ValueReader<DurationSeconds>.duration(),
        builtIn: "renew_before of the policy, else half of the lifetime",
        help: "renew what has this much life left, or less")
    private static let metrics = Option(
        "metrics", ValueReader<FilePath>.file(),
        help: "write metrics in Prometheus text format; earlier ones are replaced")
    private static let acceptInventory = Flag(
        "accept-inventory", help: "take a list of workspaces that is empty, or much shorter")
    private static let acceptClock = Flag(
        "accept-clock", help: "answer for a clock that is not believed; it is put on record")
    private static let retryPIN = Flag(
        "retry-pin", help: "have the signer try a PIN again that a token refused")
    private static let jobs = Option(
        "jobs", ValueReader<Int64>.decimal("N", in: 1...64), builtIn: "4",
        help: "work on so many workspaces at the same time")
    private static let storeRate = Option(
        "store-rate", ValueReader<Int64>.decimal("N", in: 1...10_000), builtIn: "no limit",
        help: "send at most so many requests a second to a store over a network")
    private static let signerRate = Option(
        "signer-rate", ValueReader<Int64>.decimal("N", in: 1...10_000), builtIn: "no limit",
        help: "ask the signer for at most so many signatures a second")
    private static let explain = Flag(
        "explain",
        help: "renew nothing; tell how long everyone may be asleep before a device goes dark")
    private static let timerPeriod = Option(
        "timer-period", ValueReader<DurationSeconds>.duration(), builtIn: "30m",
        help: "with --explain: how often the timer runs this command")

    static let command = Command(
        "refresh", .acts, summary: "renew what is served before it ends",
        discussion: [
            "Reads what is served for each workspace, and has what is due signed again with new"
                + " times, published and read back, the nearest end first. It is due when its life"
                + " left is at most the renewal point, a little earlier for each workspace in its"
                + " own way, or when the key that signed it is not current any more.",
            "The signer is one process for the whole run. What was signed and could not be"
                + " published is kept and used again. A copy that is missing, rolled back or not"
                + " ours is never renewed: the newest that this ledger saw served comes back. Run"
                + " again at any time, on any number of hosts: nothing is done twice.",
            "Ends with the first that applies of 70 (a bad signature), 76 (the store showed what it"
                + " should never show), 78, 77, 1 (something is below a quarter of its life, or"
                + " held up by a version that was signed and never published), 75 (something"
                + " failed, and nothing is near its end), 0.",
        ],
        operands: [WorkspaceSelection.workspaces],
        options: [
            WorkspaceSelection.all, WorkspaceSelection.inventory, within, metrics,
            acceptInventory, acceptClock, retryPIN, jobs, storeRate, signerRate, explain,
            timerPeriod,
            SharedOptions.to,
            SharedOptions.keys, SharedOptions.campaigns, SharedOptions.state,
            SharedOptions.ledger, SharedOptions.workspace, SharedOptions.signer,
            SharedOptions.signerTimeout, SharedOptions.force, SharedOptions.dryRun,
        ] + StoreOptions.writing,
        examples: [
            .init("grona-publish refresh --all", "what a timer runs"),
            .init("grona-publish refresh --all --dry-run", "shows what is due, and when the rest"),
            .init(
                "grona-publish refresh --all --explain --timer-period 12h",
                "shows how long everyone may be asleep"),
        ]
    ) { context throws(Failure) in
        let call = context.call
        let changesNothing = context.isDryRun || call[explain]
        if call[metrics] == "-", context.wantsJSON {
            throw call.usage("metrics", "--metrics - and --json both write to standard output")
        }
        let inventory = call[WorkspaceSelection.inventory]
        try WorkspaceSelection.requireNames(context, inventory: inventory)
        let offsets = ClockWatch.Samples()
        let storePace = Pace(perSecond: call[storeRate].map { Int($0) })
        let jobs = Int(call[jobs] ?? 4)
        let store = try context.openStore(
            try context.to(), for: changesNothing ? .reading : .writing
        ) { ClockWatch(PacedClient(inner: $0, pace: storePace), offsets) }
        let place = StateFolder(try context.stateFolder()).store(store.name)
        let ledger = try LedgerPlace.open(context, of: store)
        if changesNothing {
            let selection = try WorkspaceSelection(context, inventory: inventory)
            let memory = try RefreshMemory(place)
            let run = try RefreshRun(
                context, store, ledger, place, within: call[within], jobs: jobs,
                last: memory.triedInVain)
            var outcome = RefreshOutcome()
            let snapshot = try run.snapshot()
            for part in RefreshRun.Part.allCases {
                outcome.add(try run.survey(selection, part, snapshot))
            }
            let output = RefreshOutput(context, outcome, store: store.name)
            if call[explain] {
                let period = call[timerPeriod]?.seconds ?? ExpiryBudget.timerPeriod
                output.explain(timerPeriod: period)
            } else {
                output.plan()
            }
            let problems =
                selection.problems
                + (memory.problem(of: selection).map { [RefreshWording.inventory($0).reason] } ?? [])
            for problem in problems { context.console.report(problem) }
            let exit = outcome.exit(at: context.now)
            return exit == .success ? problems.first?.exit ?? exit : exit
        }
        try StateFolder.made(place.folder)
        let lock: FileLock
        let lockPath = place.folder.appending("refresh.lock")
        do throws(FileError) {
            lock = try FileLock(at: lockPath, waitingNanoseconds: 0)
        } catch {
            if case .locked(let path, let holder) = error {
                throw RefreshWording.locked(path.description, holder: holder)
            }
            throw Failure(writing: error)
        }
        var journal = try RefreshJournal(context, place, metrics: call[metrics])
        StopRequest.note()
        do throws(Failure) {
            let selection = try WorkspaceSelection(context, inventory: inventory)
            try journal.check(
                selection, accepting: call[acceptInventory])
            let run = try RefreshRun(
                context, store, ledger, place, within: call[within], jobs: jobs,
                last: journal.triedInVain)
            var signer: SignerSession?
            defer { signer?.close() }
            let snapshot = try run.snapshot()
            for part in RefreshRun.Part.allCases {
                let lines = try run.survey(selection, part, snapshot)
                for line in lines { RefreshOutput.tell(line, context.console) }
                journal.outcome.add(lines)
                run.remember()
                guard part == .likely || lines.contains(where: \.isToDo) else { continue }
                if call[SharedOptions.now] == nil {
                    try journal.check(
                        clockOf: ledger, offset: offsets.median, accepting: call[acceptClock])
                }
                if signer == nil {
                    signer = SignerSession(
                        try SignerLookup.command(context), retriesPIN: call[retryPIN],
                        perSecond: call[signerRate].map { Int($0) })
                }
                guard let signer else { continue }
                run.renew(&journal.outcome, with: signer) { [console = context.console] line in
                    RefreshOutput.tell(line, console)
                }
            }
            signer?.close()
            if let signer { RefreshOutput.tell(signer, journal.outcome, context) }
            RefreshOutput.tellStop(journal.outcome, context.console)
        } catch {
            if error.status != .usage { journal.end(with: error) }
            throw error
        }
        let exit = journal.end(with: nil)
        // Held until here.
        _ = lock.unlock()
        RefreshOutput(context, journal.outcome, store: store.name).summary()
        return exit
    }
}

extension StateFolder {
    /// Makes a folder of this host's memory.
    static func made(_ folder: FilePath) throws(Failure) {
        do throws(ProjectFileError) { try create(folder) } catch { throw Failure(error) }
    }
}
