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
        options: [toVersion] + ChangeRun.options,
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
        var run = try ChangeRun(context, workspace)
        let content = try content(version, run.publisher)
        let change = ContentChange.restore(content)
        let output = try run.publish(change)
        run.waitForEdges(output)
        let preview = output.report.reference?.payload.flatMap { change.preview(of: $0) }
        let keptOff = keptOff(
            content,
            in: context.isDryRun
                ? preview : (output.report.document ?? output.report.after)?.payload?.root)
        if context.wantsJSON {
            var more: [(String, JSONValue)] = [
                ("to_version", .integer(version.number)),
                ("kept_off", .array(keptOff.map { .string($0) })),
            ]
            more += run.edges?.members ?? []
            context.console.json(output.json(more))
        } else {
            output.showDifference(to: preview)
            context.console.line(line(output, version) + words(keptOff))
            run.showEdges()
            if let first = keptOff.first { tellHowOn(first, output) }
        }
        return try run.end(output)
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

    /// The campaigns that are on in an old content and off in what came of it: they were switched
    /// off since, and stay so.
    private static func keptOff(
        _ content: JudgedDocument, in result: JSONElement?
    ) -> [String] {
        guard let result, let old = content.payload else { return [] }
        var on: Set<[UInt8]> = []
        for campaign in result["campaigns"]?.elements.map(\.self) ?? []
        where campaign["enabled"]?.boolean == true {
            if let id = campaign["id"]?.utf8 { on.insert(Array(id)) }
        }
        return old.campaigns.filter { $0.isEnabled && !on.contains(Array($0.id.text.utf8)) }
            .map(\.id.text)
    }

    private static func words(_ keptOff: [String]) -> String {
        guard !keptOff.isEmpty else { return "" }
        let stay = keptOff.count == 1 ? "stays off" : "stay off"
        return "; \(keptOff.joined(separator: ", ")) \(stay)"
    }

    /// A rollback never switches on what was switched off: that takes a person who says so.
    private static func tellHowOn(_ campaign: String, _ output: ChangeOutput) {
        let (workspace, store) = (output.workspace, StatusAdvice.word(output.store))
        output.context.console.note(
            "to switch it on again: 'grona-publish fetch \(workspace) -o served.json --from"
                + " \(store)', 'grona-sign renew served.json --enable \(campaign) -o on.json',"
                + " 'grona-publish push on.json --enable \(campaign) --to \(store)'")
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
