import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing
import StrictJSON

/// Shows what came of a push: one line, or one JSON value, and what came in between.
struct PushOutput {
    let context: CommandContext
    let report: PublishReport
    let workspace: WorkspaceName
    let store: String
    let file: String
    let warnings: PublishWarnings
    /// The addresses that were waited for.
    var edges: EdgeRun?

    func show(_ document: JudgedDocument, _ facts: DocumentFacts) throws(Failure) -> ExitStatus {
        warnings.tellRest(report.alarms)
        if let stop = warnings.stop { throw stop }
        let failure = VerdictWording.failure(report, store: store, file: file)
        if let result = VerdictWording.result(report.verdict) {
            if context.wantsJSON {
                context.console.json(json(result, facts, failure))
                if failure == nil { try deliver(facts) }
                if failure == nil, let late = edges?.failure { return late.status }
                return failure?.status ?? .success
            }
            if let failure {
                showDifference(from: report.before, to: report.after, "came in between")
                throw failure
            }
            if context.isDryRun {
                showDifference(from: report.reference, to: document, "would change")
            }
            context.console.line(line(facts))
            for line in edges?.lines ?? [] { context.console.line(line) }
            try deliver(facts)
            if let late = edges?.failure { throw late }
            return .success
        }
        throw failure
            ?? Failure(Diagnostic(code: "refused", message: "refused", exit: .refused))
    }

    private func deliver(_ facts: DocumentFacts) throws(Failure) {
        switch report.verdict {
        case .published, .unchanged:
            try context.deliver(done: "version \(facts.version) of \(workspace) is served")
        default: try context.console.flush()
        }
    }

    private func line(_ facts: DocumentFacts) -> String {
        let what = "\(workspace) version \(facts.version)"
        return switch report.verdict {
        case .unchanged: "\(what) is served by \(store) already"
        case .wouldPublish: "\(what) would be published to \(store)"
        default: "published \(what) to \(store)"
        }
    }

    private func json(_ result: String, _ facts: DocumentFacts, _ failure: Failure?) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("workspace", .string(workspace.text)), ("version", .integer(facts.version)),
            ("digest", .string(facts.payload.hex)), ("result", .string(result)),
            ("store", .string(store)),
            ("alarms", .array(AlarmWording.codes(report.alarms).map { .string($0) })),
        ]
        if let edges {
            members.append(("visible", edges.json))
            if let late = edges.failure { members.append(("code", .string(late.reason.code))) }
        }
        if let failure { members.append(("code", .string(failure.reason.code))) }
        if failure != nil {
            let served = report.after?.facts
            members.append(
                ("served", served.map { .integer($0.version) } ?? .null))
        }
        return .object(members)
    }

    /// What another publisher changed meanwhile, or what this one would.
    private func showDifference(
        from old: JudgedDocument?, to new: JudgedDocument?, _ what: String
    ) {
        guard let old = old?.payload, let new = new?.payload else { return }
        let difference = ConfigDifference(from: old.root, to: new.root)
        guard !difference.isEmpty else { return }
        context.console.send(
            error: "what \(what), from version \(old.version) to \(new.version):\n"
                + DifferenceReport.text(difference, style: context.console.errorStyle))
    }

}
