import CommandLineKit
import DeviceModel
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing

/// How a push or a release ended, as a word for scripts and as a failure.
enum VerdictWording {
    /// The member `result`; nil where an error says it.
    static func result(_ verdict: Verdict) -> String? {
        switch verdict {
        case .published: "published"
        case .unchanged: "unchanged"
        case .released: "released"
        case .wouldPublish: "would-publish"
        case .superseded: "superseded"
        case .lost, .taken: "lost"
        case .refused(let refusals):
            if case .unexpectedServed? = refusals.first { "lost" } else { nil }
        case .broken, .unsettled, .failed: nil
        }
    }

    /// Why the program does not end with 0; nil where it does.
    static func failure(_ report: PublishReport, store: String, file: String?) -> Failure? {
        guard var failure = reason(report, store: store, file: file) else { return nil }
        if let unrecorded = report.unrecorded {
            failure.others.append(Failure(unrecorded, store: store).reason)
        }
        return failure
    }

    private static func reason(
        _ report: PublishReport, store: String, file: String?
    ) -> Failure? {
        switch report.verdict {
        case .published, .unchanged, .released, .wouldPublish: nil
        case .superseded(let ours, let newer):
            Failure(
                Diagnostic(
                    code: "superseded",
                    message: "version \(newer.version) is served by now, above \(ours.version)",
                    file: store, exit: .tryAgain))
        case .lost where report.hasUnstableTag:
            Failure(
                Diagnostic(
                    code: "store.tag-changes",
                    message: "what is served has another entity tag each time it is read, so no"
                        + " condition holds; nobody else was faster",
                    file: store,
                    help: "have the server send tags that change with the content alone",
                    exit: .otherSide))
        case .lost(_, .present(.junk, _)):
            Failure(
                Diagnostic(
                    code: "served.changed",
                    message: "what is served is nothing of ours, and was another thing each time it"
                        + " was looked at",
                    file: store,
                    help: "is it a page of something in front of the store? see what the address"
                        + " answers",
                    exit: .tryAgain))
        case .lost(_, let reading):
            Failure(
                Diagnostic(
                    code: "served.changed",
                    message: "another publisher was faster: "
                        + (reading.version.map { "version \($0)" } ?? "nothing of ours")
                        + " is served",
                    file: store, help: "look at the difference and sign again after it",
                    exit: .tryAgain))
        case .taken(let facts):
            Failure(
                Diagnostic(
                    code: "version.taken",
                    message: "version \(facts.version) belongs to another document",
                    file: store,
                    help: "'grona-publish next-version' tells the next number; sign it again"
                        + " with that",
                    exit: .tryAgain))
        case .refused(let refusals): refused(refusals, report, file)
        case .broken(let breach): broken(breach, store)
        case .unsettled(let facts):
            Failure(
                Diagnostic(
                    code: "store.unsettled",
                    message: "the store said neither yes nor no to version \(facts.version)"
                        + (report.reply.map(words) ?? ""),
                    file: store, help: "the same command again settles it", exit: .tryAgain))
        case .failed(_, let mayBePublished): failed(report, store, mayBePublished)
        }
    }

    private static func words(_ reply: StoreReply) -> String {
        switch reply {
        case .status(let status) where (200..<300).contains(status):
            ": it answered \(status) to the write, and does not show it"
        case .status(let status): ": it answered \(status) to the write"
        case .noAnswer(let failure):
            ": " + RemoteStoreWording.noAnswer(failure, .writing, "").message
        }
    }

    private static func refused(
        _ refusals: [Refusal], _ report: PublishReport, _ file: String?
    ) -> Failure {
        var all = refusals.map { RefusalWording.diagnostic($0, file: file) }
        for (index, refusal) in refusals.enumerated() {
            guard case .device(let code) = refusal,
                let violation = report.document?.outcome.violation,
                violation.code.rawValue.utf8.elementsEqual(code.utf8)
            else { continue }
            all[index].message = RuleWording.message(violation)
        }
        guard let first = all.first else {
            return Failure(Diagnostic(code: "refused", message: "refused", exit: .refused))
        }
        return Failure(first, others: Array(all.dropFirst()))
    }

    private static func broken(_ breach: Breach, _ store: String) -> Failure {
        let message =
            switch breach {
            case .otherContent(let facts, _):
                "the store serves another content under version \(facts.version) than was claimed"
            case .unusable(let facts, _):
                "version \(facts.version) is served, and no device takes what reads back"
            case .rolledBack(let served, let mark): RefusalWording.rolledBack(served, mark)
            case .bundleTaken(let facts):
                "something else stands in the store under the name of the bundle of version"
                    + " \(facts.version)"
            }
        return Failure(
            Diagnostic(
                code: breach.code, message: message, file: store,
                help: "find out who else writes to the store", exit: .otherSide))
    }

    private static func failed(
        _ report: PublishReport, _ store: String, _ mayBePublished: Bool
    ) -> Failure {
        var failure =
            report.failure.map { Failure($0, store: store) }
            ?? Failure(
                Diagnostic(
                    code: "store.failed", message: "the store could not be asked", file: store,
                    exit: .inputOutput))
        if mayBePublished {
            failure.reason.message += "; the version may be served already"
            failure.reason.help = failure.reason.help ?? "the same command again settles it"
        }
        return failure
    }
}
