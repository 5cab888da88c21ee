import CommandLineKit
import DeviceModel
import GronaCommand
import GronaFormats
import JOSE
import PublishProtocol
import Publishing

/// `push ENVELOPE`: publishes a finished config.
enum PushCommand {
    static let command = Command(
        "push", .acts, summary: "publish a signed config",
        discussion: [
            "The config is checked as a device would check it and held against what is served;"
                + " its number is claimed in the store, the served copy is replaced under the"
                + " condition that it is still the one that was read, and the result is read back.",
            "Nothing is ever built upon something else than it was written against: when another"
                + " publisher was faster, this ends with 75 and shows what came in between."
                + " Publishing what is served already is done at once, with 0.",
        ],
        operands: [PublishOptions.envelope],
        options: [
            PublishOptions.expectVersion, PublishOptions.allowAged, PublishOptions.allowJump,
            PublishOptions.raiseMinSDK, PublishOptions.enable, EdgeRun.urls, EdgeRun.wait,
            SharedOptions.to,
            SharedOptions.keys, SharedOptions.pins, SharedOptions.campaigns, SharedOptions.state,
            SharedOptions.ledger, SharedOptions.workspace, SharedOptions.strict,
            SharedOptions.dryRun,
        ] + StoreOptions.writing,
        examples: [
            .init("grona-publish push version-2.json --to file:/srv/grona", "publishes it"),
            .init(
                "grona-publish push on-again.json --enable weekend-offer",
                "switches an offer on again, which nobody can do by mistake"),
        ]
    ) { context throws(Failure) in
        let path = try context.call.require(PublishOptions.envelope)
        var edges = try EdgeRun(context)
        let name = InputDocument.name(path)
        let bytes = try InputDocument.read(path, limit: Limits.Reader.envelope)
        let store = try context.openStore(try context.to(), for: .writing)
        let workspace = try EnvelopeWorkspace.read(bytes, file: name)
        if let wanted = try context.workspace(), wanted != workspace {
            throw Failure(
                Diagnostic(
                    code: RuleCode.payloadWrongWorkspace.rawValue,
                    message: "a config of \(workspace), not of \(wanted)", file: name,
                    exit: .refused))
        }
        let policy = try context.policy(workspace)
        try context.warnOfPrivateKeys(policy)
        let publisher = try context.publisher(store, try context.judge(workspace))
        // What the ledger knows may have been signed by a key that nobody should trust any more.
        let document = publisher.judge.withoutLedger.judge(bytes)
        guard document.outcome.violation == nil, let facts = document.facts,
            let payload = document.payload
        else { throw refusal(of: document, publisher, context, file: name) }
        let warnings = PublishWarnings(context, store: store.name)
        edges?.begin()
        let sizes = CheckReport.warnings(document.outcome.warnings, file: name)
        let report = publisher.push(
            document, facts, payload: payload,
            rules: PushRules(
                policy: policy, now: context.now,
                enabling: context.call.all(PublishOptions.enable).map(\.text),
                raisesMinSDK: context.call[PublishOptions.raiseMinSDK],
                allowsAged: context.call[PublishOptions.allowAged]),
            expecting: Publication.Expectations(
                servedVersion: context.call[PublishOptions.expectVersion],
                allowedJump: context.call[PublishOptions.allowJump]?.number),
            isDryRun: context.isDryRun
        ) { alarms, before in
            let changes = TreatmentWording.warnings(payload, after: before?.payload, file: name)
            return warnings.heed(alarms, sizes + changes)
        }
        switch report.verdict {
        case .published(let facts), .unchanged(let facts): edges?.wait(for: facts, publisher.judge)
        default: edges = nil
        }
        return try PushOutput(
            context: context, report: report, workspace: workspace, store: store.name, file: name,
            warnings: warnings, edges: edges
        ).show(document, facts)
    }

    /// A config that no device would take; the ledger keeps that somebody tried.
    private static func refusal(
        of document: JudgedDocument, _ publisher: Publisher, _ context: CommandContext,
        file: String
    ) -> Failure {
        let violation = document.outcome.violation
        let code = (violation?.code ?? RuleCode.payloadMalformed).rawValue
        var failure = Failure(
            Diagnostic(
                code: code, message: violation.map(RuleWording.message) ?? "no config",
                file: file, exit: .refused))
        guard !context.isDryRun else { return failure }
        do { try publisher.record(refusal: code, of: document.facts) } catch {
            failure.others.append(Failure(error, store: publisher.store.name).reason)
        }
        return failure
    }
}

/// Which workspace an envelope says it is for, before anything about it is believed.
enum EnvelopeWorkspace {
    static func read(_ bytes: [UInt8], file: String) throws(Failure) -> WorkspaceName {
        let text: String
        do throws(RuleViolation) {
            text = try PayloadRule.read(try EnvelopeRule.read(bytes).payload).workspace
        } catch {
            throw Failure(
                Diagnostic(
                    code: error.code.rawValue, message: RuleWording.message(error), file: file,
                    exit: .refused))
        }
        guard let workspace = WorkspaceName(text) else {
            throw Failure(
                Diagnostic(
                    code: RuleCode.payloadWrongWorkspace.rawValue,
                    message: "the config is for no workspace that could be ours", file: file,
                    pointer: "/workspace", exit: .refused))
        }
        return workspace
    }
}
