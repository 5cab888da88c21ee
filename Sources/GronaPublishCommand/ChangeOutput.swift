import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing
import StrictJSON

/// Shows what came of a change that was signed on whatever is served.
struct ChangeOutput {
    let context: CommandContext
    let report: PublishReport
    let workspace: WorkspaceName
    let store: String
    let warnings: PublishWarnings
    /// How the signer was called, and for what; nil where nobody asked it.
    var signer: (command: SignerCommand, verb: SignerVerb)?

    /// Why the run does not end with 0; nil where it does.
    var failure: Failure? {
        warnings.stop
            ?? VerdictWording.failure(report, store: store, file: nil).map {
                UntrustedKeyWording.failure(failed($0), report, workspace)
            }
    }

    private func failed(_ failure: Failure) -> Failure {
        var failure = OutdatedWording(context, workspace, store: store)
            .failure(JumpWording.failure(failure, report), report)
        if let signer {
            failure.reason = SignerByHand.told(failure.reason, signer.command, signer.verb)
        }
        return failure
    }

    /// Whether the store serves what came of it; not after a run that only shows.
    var isDone: Bool { failure == nil && !context.isDryRun && report.facts != nil }

    /// Tells what the signer said and what came up; throws where there is no result to show.
    func begin() throws(Failure) {
        if !report.signerSaid.isEmpty, !context.wantsJSON, !context.console.preferences.quiet {
            for line in report.signerSaid.split(whereSeparator: \.isNewline) {
                context.console.send(error: DisplayText.escaped(String(line)) + "\n")
            }
        }
        for facts in report.finished {
            context.console.note(
                "version \(facts.version), which an earlier run had signed and not published, was"
                    + " published first")
        }
        if context.isDryRun, let kept = report.kept { tell(kept) }
        warnings.tellRest(report.alarms)
        guard let failure else { return }
        // Scripts get the result of a race as JSON; everything else is an error.
        guard context.wantsJSON, VerdictWording.result(report.verdict) != nil else { throw failure }
    }

    private func tell(_ kept: DocumentFacts) {
        if let waiting = report.waiting, !waiting.switchesOff.isEmpty {
            return context.console.report(
                .warning(
                    code: RefreshOutcome.unpublishedNewer,
                    message: "a kill waits: version \(kept.version), which switches"
                        + " \(KillWording.list(waiting.switchesOff)) off, was signed by an earlier run"
                        + " on this host and is not published; it is published first",
                    file: store,
                    help: "'grona-publish refresh \(workspace)' publishes it, too"))
        }
        let words = OutdatedWording(context, workspace, store: store)
        context.console.report(
            .warning(
                code: RefreshOutcome.unpublishedNewer,
                message: "version \(kept.version) was signed by an earlier run on this host and is"
                    + " not published: it is published first where it only switches off or lives"
                    + " longer, and stops this command otherwise",
                file: store, help: words.help(kept.version, isAtHand: true)))
    }

    /// Shows the difference to what devices get, or, where that is none of ours, to the content
    /// that the change was made of.
    func showDifference(to preview: JSONElement?) {
        let served = report.before.flatMap { $0.facts == nil ? nil : $0.payload }
        guard !context.wantsJSON, let old = served ?? report.reference?.payload,
            let new = context.isDryRun ? preview : report.document?.payload?.root
        else { return }
        let difference = ConfigDifference(from: old.root, to: new)
        guard !difference.isEmpty, !difference.isOnlyStamp else { return }
        context.console.write(DifferenceReport.text(difference, style: context.console.style))
    }

    /// The number of the result: in a run without writing, the one it would have been given.
    var version: Int64? {
        if case .wouldPublish = report.verdict { return report.marks.nextVersion }
        return report.facts?.version
    }

    func json(_ more: [(String, JSONValue)]) -> JSONValue {
        var digest = JSONValue.null
        if let facts = report.facts, !context.isDryRun { digest = .string(facts.payload.hex) }
        var members: [(String, JSONValue)] = [
            ("workspace", .string(workspace.text)),
            ("version", version.map { .integer($0) } ?? .null), ("digest", digest),
            ("result", .string(VerdictWording.result(report.verdict) ?? "lost")),
            ("store", .string(store)),
            ("alarms", .array(AlarmWording.codes(report.alarms).map { .string($0) })),
        ]
        if let failure {
            members.append(("code", .string(failure.reason.code)))
            members.append(
                ("served", report.after?.facts.map { .integer($0.version) } ?? .null))
        }
        return .object(members + more)
    }

    /// What is done stays done, where the answer cannot be written.
    func deliver() throws(Failure) {
        switch report.verdict {
        case .published(let facts), .unchanged(let facts):
            try context.deliver(done: "version \(facts.version) of \(workspace) is served")
        default: try context.console.flush()
        }
    }
}
