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
                + " held up by what a person has to decide, such as a version that was signed and never"
                + " published), 69 (nothing at all could be read), 75 (something failed, and nothing is near its end), 0. What a run needs"
                + " and does not find, such as store, campaigns or ledger, is its own status. All of"
                + " it is in the metrics.",
            "--explain does not count the jitter, and goes by the policy where nothing is served yet;"
                + " a life that is too short is told, as by 'grona-sign check', and is no failure.",
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
        if call[metrics] == "-", context.wantsJSON {
            throw call.usage("metrics", "--metrics - and --json both write to standard output")
        }
        try WorkspaceSelection.requireNames(
            context, inventory: call[WorkspaceSelection.inventory])
        if context.isDryRun || call[explain] { return try survey(context) }
        // From here on whatever happens is an end of a run, and in the metrics.
        var journal = RefreshJournal(context, metrics: call[metrics])
        let setting: Setting
        let lock: FileLock
        do throws(Failure) {
            setting = try Setting(context, for: .writing)
            lock = try locked(setting.place)
        } catch {
            // Whoever holds the lock writes its own.
            if error.reason.code == RefreshWording.lockedCode { throw error }
            throw journal.ended(with: error)
        }
        StopRequest.note()
        let teller = FaultTeller(context.console)
        do throws(Failure) { try run(context, setting, &journal, teller) } catch {
            teller.end()
            throw journal.ended(with: error)
        }
        let exit = journal.end(with: nil)
        // Held until here.
        _ = lock.unlock()
        RefreshOutput(context, journal.outcome, store: setting.store.name).summary()
        return exit
    }

    /// What a run works with.
    private struct Setting {
        let store: any PublicationStore
        let ledger: any PublicationLedger
        let place: StateFolder.OfStore
        let offsets = ClockWatch.Samples()

        init(_ context: CommandContext, for use: StoreUse) throws(Failure) {
            let pace = Pace(perSecond: context.call[storeRate].map { Int($0) })
            store = try context.openStore(try context.to(), for: use) { [offsets] client in
                ClockWatch(PacedClient(inner: client, pace: pace), offsets)
            }
            place = StateFolder(try context.stateFolder()).store(store.name)
            ledger = try LedgerPlace.open(context, of: store)
        }

        func run(
            _ context: CommandContext, after memory: RefreshMemory?
        ) throws(Failure) -> RefreshRun {
            try RefreshRun(
                context, store, ledger, place, within: context.call[within],
                jobs: Int(context.call[jobs] ?? 4), after: memory)
        }
    }

    private static func locked(_ place: StateFolder.OfStore) throws(Failure) -> FileLock {
        try StateFolder.made(place.folder)
        let path = place.folder.appending("refresh.lock")
        do throws(FileError) { return try FileLock(at: path, waitingNanoseconds: 0) } catch {
            if case .locked(let path, let holder) = error {
                throw RefreshWording.locked(path.description, holder: holder)
            }
            throw Failure(writing: error)
        }
    }

    /// Shows what a run would do, or how long everyone may be asleep.
    private static func survey(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let call = context.call
        let setting = try Setting(context, for: .reading)
        let selection = try WorkspaceSelection(
            context, inventory: call[WorkspaceSelection.inventory])
        let memory = try RefreshMemory(setting.place)
        let run = try setting.run(context, after: memory)
        var outcome = RefreshOutcome()
        let snapshot = try run.snapshot()
        for part in RefreshRun.Part.allCases {
            outcome.add(try run.survey(selection, part, snapshot))
        }
        RefreshOutput.tellEmptyLedger(outcome.lines, setting.store.name, context.console)
        let output = RefreshOutput(context, outcome, store: setting.store.name)
        if call[explain] {
            output.explain(timerPeriod: call[timerPeriod]?.seconds ?? ExpiryBudget.timerPeriod)
        } else {
            output.plan()
        }
        var problems = selection.problems
        if let problem = memory.problem(of: selection) {
            let before = memory.count(of: selection)
            problems.append(RefreshWording.inventory(problem, before: before).reason)
        } else if let warning = memory.warning(of: selection) {
            context.console.report(warning)
        }
        if call[SharedOptions.now] == nil {
            let now = UnixTime(SystemClock.unixTime())
            let found = try RefreshMemory.clockProblem(
                memory, setting.ledger, offset: setting.offsets.median, now: now)
            if let problem = found.problem {
                problems.append(RefreshWording.clock(problem, now: now).reason)
            }
        }
        for problem in problems { context.console.report(problem) }
        let exit = outcome.exit(at: context.now)
        return exit == .success ? problems.first?.exit ?? exit : exit
    }

    private static func run(
        _ context: CommandContext, _ setting: Setting, _ journal: inout RefreshJournal,
        _ teller: FaultTeller
    ) throws(Failure) {
        let call = context.call
        try journal.open(setting.place)
        let selection = try WorkspaceSelection(
            context, inventory: call[WorkspaceSelection.inventory])
        try journal.check(selection, accepting: call[acceptInventory])
        let run = try setting.run(context, after: journal.memory)
        journal.known = run.known
        var signer: SignerSession?
        defer { signer?.close() }
        let snapshot = try run.snapshot()
        for part in RefreshRun.Part.allCases {
            let lines = try run.survey(selection, part, snapshot)
            for line in lines { RefreshOutput.tell(line, teller) }
            journal.outcome.add(lines)
            run.remember()
            guard part == .likely || lines.contains(where: \.isToDo) else { continue }
            if call[SharedOptions.now] == nil {
                try journal.check(
                    clockOf: setting.ledger, offset: setting.offsets.median,
                    accepting: call[acceptClock])
            }
            if signer == nil {
                signer = SignerSession(
                    try SignerLookup.command(context), retriesPIN: call[retryPIN],
                    perSecond: call[signerRate].map { Int($0) })
            }
            guard let signer else { continue }
            run.renew(&journal.outcome, with: signer) { RefreshOutput.tell($0, teller) }
        }
        signer?.close()
        teller.end()
        if let signer { RefreshOutput.tell(signer, journal.outcome, context) }
        RefreshOutput.tellStop(journal.outcome, context.console)
        RefreshOutput.tellEmptyLedger(
            journal.outcome.lines, setting.store.name, context.console)
    }
}

extension StateFolder {
    /// Makes a folder of this host's memory.
    static func made(_ folder: FilePath) throws(Failure) {
        do throws(ProjectFileError) { try create(folder) } catch { throw Failure(error) }
    }
}
