import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing
import StrictJSON

/// `rollback WORKSPACE --to-version N`: an older content under a new version.
enum RollbackCommand {
    private static let toVersion = Option(
        "to-version", ValueReader<ConfigVersion>.version(),
        help: "the version whose content is to come back")

    static let command = Command(
        "rollback", .acts, summary: "publish an older content under a new version",
        discussion: [
            "Installs never go back to a lower version, so the content of version N is signed anew"
                + " by the signer, under a new number and with new times. Every campaign that is"
                + " off in what is served stays off. Where another publisher is faster, this begins"
                + " again, at most five times.",
            "Shown is what changes for devices; with --dry-run, nothing is signed for it.",
        ],
        operands: [PublishOptions.workspace],
        options: [
            toVersion, EdgeRun.urls, EdgeRun.wait, SharedOptions.to, SharedOptions.keys,
            SharedOptions.campaigns, SharedOptions.state, SharedOptions.ledger,
            SharedOptions.signer, SharedOptions.signerTimeout, SharedOptions.strict,
            SharedOptions.dryRun,
        ] + StoreOptions.writing,
        examples: [
            .init(
                "grona-publish rollback acme-market --to-version 7 --dry-run",
                "shows what the content of version 7 would change"),
            .init("grona-publish rollback acme-market --to-version 7", "brings it back"),
        ]
    ) { context throws(Failure) in
        let workspace = try context.call.require(PublishOptions.workspace)
        guard let version = context.call[toVersion] else {
            throw context.call.usage("missing-option", "--to-version is missing")
        }
        var edges = try EdgeRun(context)
        let (publisher, policy, warnings) = try context.changeSetting(workspace)
        let old = try content(version, publisher)
        let signer = try SignerLookup.command(context)
        if context.isDryRun { edges = nil }
        edges?.begin()
        let change = ContentChange.restore(old)
        let report = publisher.rebase(
            change, signer: signer, policy: policy, isDryRun: context.isDryRun
        ) { warnings.heed($0) }
        let output = ChangeOutput(
            context: context, report: report, workspace: workspace, store: publisher.store.name,
            warnings: warnings)
        try output.begin()
        if output.failure == nil, !context.isDryRun, let facts = report.facts {
            edges?.wait(for: facts, publisher.judge)
        }
        if context.wantsJSON {
            var more: [(String, JSONValue)] = [("to_version", .integer(version.number))]
            more += edges?.members ?? []
            context.console.json(output.json(more))
        } else {
            output.showDifference(
                to: report.reference?.payload.flatMap { change.preview(of: $0) })
            context.console.line(line(output, version))
            for line in edges?.lines ?? [] { context.console.line(line) }
        }
        try output.deliver()
        if let failure = output.failure { return failure.status }
        if let late = edges?.failure {
            if context.wantsJSON { return late.status }
            throw late
        }
        return .success
    }

    private static func line(_ output: ChangeOutput, _ version: ConfigVersion) -> String {
        let number = output.version.map { String($0) } ?? "?"
        let what = "the content of version \(version) of \(output.workspace)"
        return switch output.report.verdict {
        case .unchanged: "\(what) is served by \(output.store) already, as version \(number)"
        case .wouldPublish: "\(what) would be published to \(output.store) as version \(number)"
        default: "published \(what) to \(output.store) as version \(number)"
        }
    }

    /// The content of a number: the store's claim, or the envelope that was seen served under it.
    private static func content(
        _ version: ConfigVersion, _ publisher: Publisher
    ) throws(Failure) -> JudgedDocument {
        do throws(PublishingError) {
            if let document = try publisher.content(of: version) { return document }
        } catch {
            throw Failure(error, store: publisher.store.name)
        }
        throw Failure(
            Diagnostic(
                code: "version.missing",
                message: "the content of version \(version) is neither in the store nor beside the"
                    + " ledger",
                file: publisher.store.name,
                help: "'grona-publish history' lists what there is",
                exit: .noInput))
    }
}
