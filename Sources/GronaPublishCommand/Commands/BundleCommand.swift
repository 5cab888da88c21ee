import CommandLineKit
import DeviceModel
import GronaCommand
import GronaFormats
import LinuxIO
import PublishProtocol
import Publishing
import StrictJSON

/// `bundle WORKSPACE`: the only way in which a bundle gets into an app.
enum BundleCommand {
    static let command = Command(
        "bundle", .acts, summary: "make, or release, the copy that an app carries",
        discussion: [
            "What is served is fetched, the signer makes a bundle of it, and the bundle is checked"
                + " with the pins that the app release carries. Its version is never above the"
                + " served one, or it would shut out every update. It is put on record, and only"
                + " then written to FILE.",
            "With --release, a finished bundle is released by the same checks; that is also the"
                + " way for a workspace that is delivered in bundles alone.",
        ],
        synopses: [
            "WORKSPACE --pins RELEASE_PINS [--lifetime D] [--keep-offers] -o FILE",
            "--release FILE --pins RELEASE_PINS",
        ],
        operands: [
            Operand(
                ValueReader<WorkspaceName>.workspace("WORKSPACE"), absentWith: ["release"],
                help: "the workspace")
        ],
        options: [
            PublishOptions.release, SharedOptions.pins, PublishOptions.lifetime,
            PublishOptions.keepOffers, SharedOptions.output, SharedOptions.force,
            SharedOptions.from, SharedOptions.keys, SharedOptions.campaigns, SharedOptions.state,
            SharedOptions.ledger, SharedOptions.signer, SharedOptions.signerTimeout,
            SharedOptions.strict, SharedOptions.dryRun,
        ] + StoreOptions.writing,
        exclusive: [["release", "lifetime"], ["release", "keep-offers"], ["release", "output"]],
        examples: [
            .init(
                "grona-publish bundle acme-market --pins release-pins.json -o bundle.json",
                "makes the bundle of an app release"),
            .init(
                "grona-publish bundle --release bundle.json --pins release-pins.json",
                "releases a bundle that grona-sign made"),
        ]
    ) { context throws(Failure) in
        guard let pins = try context.pins() else {
            throw context.call.usage("missing-option", "--pins is missing")
        }
        guard let path = context.call[PublishOptions.release] else {
            return try make(context, pins)
        }
        let name = InputDocument.name(path)
        let bytes = try InputDocument.read(path, limit: Limits.Reader.envelope)
        let workspace = try EnvelopeWorkspace.read(bytes, file: name)
        let run = try BundleRun(context, workspace, pins)
        let report = run.release(.finished(bytes))
        return try run.show(report, document: name, written: nil)
    }

    private static func make(
        _ context: CommandContext, _ pins: FilePath
    ) throws(Failure) -> ExitStatus {
        let workspace = try context.call.require(PublishOptions.workspace)
        let path = context.call[SharedOptions.output]
        guard context.isDryRun || (path != nil && path != "-") else {
            throw context.call.usage("missing-option", "-o FILE is missing")
        }
        let run = try BundleRun(context, workspace, pins)
        guard run.policy.delivery == .served else {
            throw Failure(
                Diagnostic(
                    code: "delivery.bundle-only",
                    message: "\(workspace) is delivered in bundles alone: nothing is served",
                    help: "'grona-sign bundle CAMPAIGNS_DIR --version N -o FILE' makes one,"
                        + " 'grona-publish bundle --release FILE' releases it",
                    exit: .refused))
        }
        let signer = try SignerLookup.command(context)
        func report(_ earlier: [UInt8]? = nil) -> PublishReport {
            run.release(
                .signer(
                    signer, lifetime: context.call[PublishOptions.lifetime],
                    keepsOffers: context.call[PublishOptions.keepOffers], earlier: earlier))
        }
        if context.isDryRun { return try run.show(report(), document: nil, written: nil) }
        // A run that was ended after the file was there begins again, and comes to the same.
        if let path, !context.force,
            let earlier = try? readFile(path, limit: Limits.Reader.envelope, links: .refuse),
            run.isReleased(earlier)
        {
            let report = report(earlier)
            if report.failure == BundleSource.notTheEarlierOne {
                throw Failure(writing: .exists(path))
            }
            return try run.show(report, document: nil, written: path.description)
        }
        let output = try context.documentOutput()
        let report = report()
        var written: String?
        if case .released = report.verdict, let document = report.document {
            try output.commit(document.bytes)
            written = path?.description
        }
        return try run.show(report, document: nil, written: written)
    }
}

/// One release of a bundle with everything it needs.
struct BundleRun {
    let context: CommandContext
    let workspace: WorkspaceName
    let policy: WorkspacePolicy
    private let publisher: Publisher
    private let release: DocumentJudge
    private let store: String
    private let warnings: PublishWarnings

    init(
        _ context: CommandContext, _ workspace: WorkspaceName, _ pins: FilePath
    ) throws(Failure) {
        self.context = context
        self.workspace = workspace
        let store = try context.openStore(try context.from(), for: .writing)
        self.store = store.name
        warnings = PublishWarnings(context, store: store.name)
        policy = try context.policy(workspace)
        try context.warnOfPrivateKeys(policy)
        release = try context.pinnedJudge(pins, workspace)
        publisher = try context.publisher(store, try context.keyringJudge(workspace))
    }

    /// Whether these are the bytes of a bundle in the store.
    func isReleased(_ bytes: [UInt8]) -> Bool {
        let document = publisher.judge.judge(bytes, channel: .bundle)
        guard let facts = document.facts, let version = ConfigVersion(facts.version) else {
            return false
        }
        let name = BundleName(version: version, digestPrefix: facts.payload.prefix)
        return (try? publisher.store.read(.bundle(workspace, name)))?.bytes == bytes
    }

    func release(_ source: BundleSource) -> PublishReport {
        publisher.releaseBundle(
            source, release: release, policy: policy, isDryRun: context.isDryRun
        ) { [warnings] alarms in warnings.heed(alarms) }
    }

    func show(
        _ report: PublishReport, document: String?, written: String?
    ) throws(Failure) -> ExitStatus {
        if !report.signerSaid.isEmpty, !context.wantsJSON, !context.console.preferences.quiet {
            for line in report.signerSaid.split(whereSeparator: \.isNewline) {
                context.console.send(error: DisplayText.escaped(String(line)) + "\n")
            }
        }
        warnings.tellRest(report.alarms)
        if let stop = warnings.stop { throw stop }
        if let failure = VerdictWording.failure(report, store: store, file: document) {
            throw OutdatedWording(workspace: workspace, store: StatusAdvice.word(store))
                .failure(failure, report)
        }
        let payload = report.document?.payload
        let facts = report.document?.facts
        if context.wantsJSON {
            context.console.json(
                .object(
                    [
                        ("workspace", .string(workspace.text)),
                        ("version", facts.map { .integer($0.version) } ?? .null),
                        ("digest", facts.map { .string($0.payload.hex) } ?? .null),
                        ("kid", report.document?.kid.map { .string($0.text) } ?? .null),
                        ("expires_at", payload.map { .integer($0.expiresAt.seconds) } ?? .null),
                        (
                            "result",
                            .string(VerdictWording.result(report.verdict) ?? "unchanged")
                        ), ("store", .string(store)),
                    ] + (written.map { [("file", .string($0))] } ?? [])))
            try deliver(report)
            return .success
        }
        context.console.line(line(report, written: written ?? document))
        try deliver(report)
        return .success
    }

    private func deliver(_ report: PublishReport) throws(Failure) {
        guard case .released(let facts) = report.verdict else {
            return try context.console.flush()
        }
        try context.deliver(done: "the bundle of version \(facts.version) is released")
    }

    private func line(_ report: PublishReport, written: String?) -> String {
        if case .wouldPublish(let facts) = report.verdict {
            return "a bundle of \(workspace) version \(facts.version) would be released,"
                + " from \(store)"
        }
        let version = report.document?.facts.map { String($0.version) } ?? "?"
        let until = report.document?.payload.map { ", until \($0.expiresAt)" } ?? ""
        let place = written.map { ": \($0)" } ?? ""
        return
            "released the bundle of \(workspace) version \(version), from \(store)\(until)\(place)"
    }
}
