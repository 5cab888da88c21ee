import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import Publishing
import StrictJSON

/// `doctor STORE`: whether a store compares and swaps.
enum DoctorCommand {
    private static let store = Operand(
        ValueReader<String>.text("STORE"), .optional,
        help: "the store, such as s3://bucket/prefix?…; that of the settings, if none is named")
    private static let acceptLedger = Flag(
        "accept-ledger",
        help: "take the ledger of the store as it is, after it went back or was lost")
    private static let singlePublisher = Flag(
        "single-publisher",
        help: "answer for publishing from this host alone, to a store that does not swap")

    static let command = Command(
        "doctor", .acts, summary: "find out whether a store compares and swaps",
        discussion: [
            "Writes and reads in the workspace grona-probe, which nobody fetches: under conditions"
                + " that hold and under some that do not, and with eight writers at once, whose"
                + " requests are all but complete before any is. What is found is remembered, and"
                + " publishing goes by it; this command asks again.",
            "--accept-ledger asks the store nothing of that. It answers for a ledger that went back"
                + " (ledger.went-back) or knows nothing of a store with a past (ledger.empty): its"
                + " end is its end from then on, and of each workspace with a keyring, what is"
                + " served and the newest envelope beside the ledger are put on record as seen.",
            "A store that lets two writers win is refused by every command that publishes"
                + " (store.no-cas). With --single-publisher it is taken all the same: the promise"
                + " that nobody publishes from another host is written down, and one publisher of"
                + " this host waits for the other.",
        ],
        operands: [store],
        options: [
            singlePublisher, acceptLedger, SharedOptions.yes, SharedOptions.dryRun,
            SharedOptions.keys, SharedOptions.state, SharedOptions.ledger,
        ] + StoreOptions.writing,
        examples: [
            .init(
                "grona-publish doctor 's3://shop/prod?endpoint=https://s3.example.com'",
                "probes a bucket"),
            .init(
                "grona-publish doctor --accept-ledger --yes",
                "goes on with a ledger that went back"),
        ]
    ) { context throws(Failure) in
        guard context.call[acceptLedger] || !context.isDryRun else {
            throw context.call.usage("missing-option", "--dry-run goes with --accept-ledger only")
        }
        let named = context.call[store]
        let text: String
        if let named { text = named } else { text = try context.to() }
        if context.call[acceptLedger] {
            return try LedgerAcceptance(context, try context.openStore(text)).run()
        }
        let address = try context.storeAddress(text)
        if case .file(let path) = address {
            return try folder(path, context)
        }
        if context.isRehearsal, !address.isOnThisHost { throw CommandContext.real(text) }
        let remote = try context.remoteStore(address, text)
        let trust = StoreTrust(context, remote)
        let name = remote.store.name
        let report: ProbeReport
        do throws(StoreProbe.Failure) {
            report = try trust.probe()
        } catch {
            switch error {
            case .store(let error): throw Failure(error, store: name)
            case .disturbed: throw StoreTrust.disturbed(name)
            case .unprobed(let why):
                var diagnostic = StoreTrust.unprobed(
                    name, why.status, isAnonymous: remote.objects.isAnonymous)
                diagnostic.severity = .error
                diagnostic.exit = .negative
                throw Failure(diagnostic)
            }
        }
        var promise = try trust.remembered()?.singlePublisher
        if context.call[singlePublisher] {
            let user = UserIdentity.current()
            promise = .init(user: user.name ?? String(user.userID), time: context.now)
        }
        if report.isTrusted { promise = nil }
        let record = try trust.remember(report, singlePublisher: promise)
        show(report, name, context, promise: promise)
        guard !report.isTrusted, promise == nil else { return .success }
        return try refuse(record, context)
    }

    /// With `--json`, the answer says it all.
    private static func refuse(
        _ record: ProbeRecord, _ context: CommandContext
    ) throws(Failure) -> ExitStatus {
        var failure = StoreTrust.refused(record)
        failure.reason.help =
            "each 'no' above says what it does instead; take another store, or answer with"
            + " --single-publisher for publishing from this host alone"
        // The table stays: it is what was asked for.
        if !context.wantsJSON { context.console.report(failure) }
        return failure.status
    }

    private static func folder(
        _ path: String, _ context: CommandContext
    ) throws(Failure) -> ExitStatus {
        let store: FileStore
        let report: ProbeReport
        do throws(StoreError) {
            store = try FileStore(path)
            report = try FolderProbe.run(store)
        } catch {
            throw Failure(error, store: path)
        }
        show(report, store.name, context, promise: nil)
        guard !report.isTrusted else { return .success }
        return try refuse(
            ProbeRecord(store: store.name, time: context.now, report: report), context)
    }

    private static func show(
        _ report: ProbeReport, _ store: String, _ context: CommandContext,
        promise: ProbeRecord.Promise?
    ) {
        let verdict =
            report.isTrusted ? "swaps" : promise == nil ? "no-cas" : "single-publisher"
        if context.wantsJSON {
            context.console.json(
                .object([
                    ("store", .string(store)), ("verdict", .string(verdict)),
                    ("report", report.json),
                ]))
            return
        }
        context.console.line("store \(store)")
        var table = Table(["check", "answer", ""])
        for check in report.checks {
            let word: Table.Cell =
                switch check.outcome {
                case .holds: .init("yes", .good)
                case .fails: .init("no", check.name.isNeeded ? .bad : .plain)
                case .skipped: .init("not asked", .faint)
                }
            table.add([.init(check.name.rawValue), word, .init(ProbeWording.text(check))])
        }
        context.console.write(table.text(style: context.console.style))
        for note in ProbeWording.notes(report) { context.console.line(note) }
        context.console.line(
            report.isTrusted
                ? "it compares and swaps"
                : promise == nil
                    ? "it does not compare and swap"
                    : "it does not compare and swap; publishing from this host alone is allowed")
    }
}
