import CommandLineKit
import DeviceModel
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing
import StrictJSON

/// `fetch [WORKSPACE]`: what devices get now, checked as they check it.
enum FetchCommand {
    private static let claimed = Option(
        "claimed", ValueReader<ConfigVersion>.version(),
        help: "the config that was claimed in the store under this version, or that this host keeps"
            + " because it could not be published, in place of the one that is served")

    static let command = Command(
        "fetch", .reads, summary: "get what is served, checked as a device checks it",
        discussion: [
            "A copy that none of our keys signed is not given out (76). One that is ours and that"
                + " devices refuse all the same, such as an expired one, is given out with a"
                + " warning, since it is what a repair begins with."
        ],
        operands: [PublishOptions.optionalWorkspace],
        options: [
            claimed, SharedOptions.output, SharedOptions.force, SharedOptions.from,
            SharedOptions.keys,
            SharedOptions.pins, SharedOptions.workspace, SharedOptions.state,
            SharedOptions.ledger, SharedOptions.strict,
        ] + StoreOptions.all,
        examples: [
            .init("grona-publish fetch acme-market -o served.json", "saves the served config")
        ]
    ) { context throws(Failure) in
        try fetch(context)
    }

    private static func fetch(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let workspace = try context.workspace(PublishOptions.optionalWorkspace)
        let store = try context.openStore(try context.from())
        let judge = try context.judge(workspace, of: store)
        let document: JudgedDocument
        var place = store.name
        if let version = context.call[claimed] {
            if let own = try kept(version, context, store.name, judge) {
                document = own
                place = "this host, which signed it for \(store.name) and could not publish it"
            } else {
                document = try ServedDocument.claim(version, store, judge)
            }
        } else {
            document = try ServedDocument.read(store, judge)
            if let warning = UntrustedKeyWording.diagnostic(
                document, workspace, file: store.name)
            {
                try context.warn(warning, strictExit: .otherSide)
            }
        }
        try ServedDocument.warn(document, context, store.name)
        let output = try context.documentOutput()
        let isFile = output.isFile
        // What a pipe gets is what is served, byte for byte; a person's prompt needs a new line.
        try output.commit(document.bytes, newline: context.console.outputIsTerminal)
        let facts = document.facts
        let what = "\(workspace) version \(facts?.version ?? 0) from \(place)"
        guard isFile else {
            context.console.note("fetched \(what)")
            return .success
        }
        let path = context.call[SharedOptions.output]?.description ?? ""
        if context.wantsJSON {
            context.console.json(
                .object([
                    ("workspace", .string(workspace.text)),
                    ("version", facts.map { .integer($0.version) } ?? .null),
                    ("digest", facts.map { .string($0.payload.hex) } ?? .null),
                    ("kid", document.kid.map { .string($0.text) } ?? .null),
                    (
                        "expires_at",
                        document.payload.map { .integer($0.expiresAt.seconds) } ?? .null
                    ),
                    ("store", .string(store.name)), ("file", .string(path)),
                ]))
        } else {
            context.console.line("fetched \(what) to \(path)")
        }
        return .success
    }

    /// What a run on this host had signed under the number and could not publish.
    private static func kept(
        _ version: ConfigVersion, _ context: CommandContext, _ store: String,
        _ judge: DocumentJudge
    ) throws(Failure) -> JudgedDocument? {
        let staged = StagedEnvelopes(StateFolder(try context.stateFolder()).store(store))
        return staged.document(of: judge, version: version)
    }
}

/// What a store serves, where it is ours.
enum ServedDocument {
    /// - Throws: status 66 where nothing is served, 76 where it is not ours.
    static func read(
        _ store: any PublicationStore, _ judge: DocumentJudge
    ) throws(Failure) -> JudgedDocument {
        let object: StoredObject?
        do { object = try store.read(.config(judge.workspace)) } catch {
            throw Failure(error, store: store.name)
        }
        guard let object else {
            throw Failure(
                Diagnostic(
                    code: "served.missing", message: "nothing is served for \(judge.workspace)",
                    file: store.name, exit: .noInput))
        }
        let document = judge.judge(object)
        guard document.facts != nil else {
            let violation = document.outcome.violation
            throw Failure(
                Diagnostic(
                    code: violation?.code.rawValue ?? RuleCode.signatureInvalid.rawValue,
                    message: "what is served is not ours: "
                        + (document.untrusted.map(UntrustedKeyWording.notOurs)
                            ?? violation.map(RuleWording.message) ?? "it does not verify"),
                    file: store.name, help: "'grona-publish recover' shows what there is to go by",
                    exit: .otherSide))
        }
        return document
    }

    /// What stands in the store's history under a number.
    ///
    /// - Throws: status 66 where nothing does, 76 where it is not ours.
    static func claim(
        _ version: ConfigVersion, _ store: any PublicationStore, _ judge: DocumentJudge
    ) throws(Failure) -> JudgedDocument {
        let claim: JudgedDocument?
        do { claim = try HistoryReader(store: store, judge: judge).claim(version) } catch {
            throw Failure(error, store: store.name)
        }
        guard let claim else {
            throw Failure(
                Diagnostic(
                    code: "version.missing",
                    message: "version \(version) of \(judge.workspace) is not in the store",
                    file: store.name, help: "'grona-publish history' lists what there is",
                    exit: .noInput))
        }
        guard claim.facts?.version == version.number else {
            throw Failure(
                Diagnostic(
                    code: "claim.untrusted",
                    message:
                        "under version \(version) stands something that is not known to be ours",
                    file: store.name, help: "find out who else writes to the store",
                    exit: .otherSide))
        }
        return claim
    }

    /// Says why devices refuse a copy that is ours.
    static func warn(
        _ document: JudgedDocument, _ context: CommandContext, _ store: String
    ) throws(Failure) {
        CheckReport.tell(document.outcome.warnings, file: store, on: context.console)
        guard let violation = document.outcome.violation else { return }
        try context.warn(
            .warning(
                code: violation.code.rawValue,
                message: "devices refuse what is served: \(RuleWording.message(violation))",
                file: store),
            strictExit: .otherSide)
    }
}
