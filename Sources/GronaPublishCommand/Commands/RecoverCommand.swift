import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import PublishProtocol
import Publishing
import StrictJSON

/// `recover WORKSPACE`: a store that was lost, damaged or restored goes on.
enum RecoverCommand {
    static let command = Command(
        "recover", .acts, summary: "rebuild what is served from history, ledger and bundles",
        discussion: [
            "Lists what there is to go by: the claims and bundles in the store, the lines of the"
                + " ledger, and the envelopes beside it that were seen served. Then it says what"
                + " would be done, and does it when that is confirmed on the terminal or by --yes.",
            "The newest content that was seen served goes back under its own number, where the"
                + " number is still its own and devices take it; otherwise the signer gives it a new"
                + " one, above everything that was ever claimed, served or bundled.",
        ],
        operands: [PublishOptions.workspace],
        options: [SharedOptions.yes] + ChangeRun.options,
        examples: [
            .init("grona-publish recover acme-market --dry-run", "shows what there is to go by"),
            .init("grona-publish recover acme-market --yes", "and goes by it"),
        ]
    ) { context throws(Failure) in
        let workspace = try context.call.require(PublishOptions.workspace)
        let change = try ChangeRun(context, workspace)
        change.warnings.isRecovering = true
        let evidence: RecoveryEvidence
        do throws(PublishingError) { evidence = try change.publisher.evidence() } catch {
            throw Failure(error, store: change.store)
        }
        return try RecoverRun(change: change, evidence: evidence).run()
    }
}

/// One recovery, from the evidence to the answer.
private struct RecoverRun {
    let change: ChangeRun
    let evidence: RecoveryEvidence

    private var context: CommandContext { change.context }
    private var workspace: WorkspaceName { change.workspace }
    private var store: String { change.store }

    func run() throws(Failure) -> ExitStatus {
        let proposal = evidence.proposal
        if !context.wantsJSON {
            show()
            try context.console.flush()
        }
        warnOfUnpublished(proposal)
        switch proposal {
        case .nothing(let facts):
            try answer("unchanged", version: facts.version, digest: facts.payload.hex, nil)
            return .success
        case .none:
            throw Failure(
                Diagnostic(
                    code: "recover.nothing",
                    message: "there is no content of \(workspace) to go by",
                    file: store,
                    help: "sign the campaigns anew: 'grona-sign config', then 'grona-publish push'",
                    exit: .noInput))
        case .republish(let content):
            return try act(content, version: content.facts.version, signs: false)
        case .restore(let content, let version):
            return try act(content, version: version, signs: true)
        }
    }

    private func act(
        _ content: RecoveryEvidence.Content, version: Int64, signs: Bool
    ) throws(Failure) -> ExitStatus {
        if let missing = evidence.missing, missing > content.facts.version {
            context.console.report(
                .warning(
                    code: "served.content-unknown",
                    message:
                        "version \(missing), which was served last, can be had nowhere: what it"
                        + " switched off would be on again",
                    file: store, help: "compare it with what you know before you go on"))
        }
        if context.isDryRun {
            try answer(
                "would-publish", version: version,
                digest: signs ? nil : content.facts.payload.hex, content)
            return .success
        }
        try confirm(content, version: version, signs: signs)
        var change = change
        let output =
            signs
            ? try change.publish(
                .restore(content.document), from: content.document,
                known: evidence.base.marks.served)
            : try change.republish(content)
        change.waitForEdges(output)
        if context.wantsJSON {
            context.console.json(
                output.json(evidenceJSON(content) + (change.edges?.members ?? [])))
        } else {
            context.console.line(
                "published the content of version \(content.facts.version) of \(workspace) to"
                    + " \(store) as version \(output.version ?? version)")
            change.showEdges()
        }
        return try change.end(output)
    }

    /// Tells of claims above what is served that this recovery leaves where they are.
    private func warnOfUnpublished(_ proposal: RecoveryEvidence.Proposal) {
        var mark: Int64
        switch proposal {
        case .nothing(let facts): mark = facts.version
        case .republish(let content), .restore(let content, _): mark = content.facts.version
        case .none: mark = 0
        }
        mark = max(mark, evidence.base.served.version ?? 0)
        let words = OutdatedWording(context, workspace, store: store)
        let above = evidence.unpublished.filter { $0.version > mark }
        guard let newest = above.first else { return }
        context.console.report(
            .warning(
                code: StatusAdvice.unpublishedCode,
                message: StatusAdvice.unpublished(above.map(\.version)), file: store,
                help: words.help(newest.version, isAtHand: true)))
    }

    // MARK: Asking

    private func confirm(
        _ content: RecoveryEvidence.Content, version: Int64, signs: Bool
    ) throws(Failure) {
        guard !context.assumesYes else { return }
        let what = plan(content, version: version, signs: signs)
        if !context.console.preferences.noInput, !context.wantsJSON, Terminal.isThere {
            try context.console.flush()
            if Terminal.isConfirmed("\(what)? Type \(workspace) to go on: ", workspace.text) {
                return
            }
        }
        throw Failure(
            Diagnostic(
                code: "recover.unconfirmed", message: "not confirmed: \(what)", file: store,
                help: "--yes says that it is meant", exit: .refused))
    }

    private func plan(
        _ content: RecoveryEvidence.Content, version: Int64, signs: Bool
    ) -> String {
        let place =
            switch content.place {
            case .served: "served now"
            case .kept: "kept beside the ledger"
            case .claim: "claimed in the store"
            }
        return signs
            ? "the content of version \(content.facts.version), \(place), would be signed as"
                + " version \(version)"
            : "version \(version), \(place), would go back under its own number"
    }

    // MARK: Showing

    private func show() {
        let base = evidence.base
        let served =
            switch base.served {
            case .absent: "nothing"
            case .present(let found, _):
                (found.genuineFacts.map { "version \($0.version)" } ?? "nothing of ours")
                    + (found.defect.map { ", which no device takes: \($0)" } ?? "")
            }
        line("store \(store)")
        line("served: \(served)")
        line("claims: \(count(evidence.claims))" + junk)
        if !evidence.unpublished.isEmpty {
            let numbers = evidence.unpublished.map { String($0.version) }
            line("claimed above what is served: \(numbers.joined(separator: ", "))")
        }
        line("bundles: \(count(evidence.bundles))")
        line(
            "ledger: highest claimed \(number(base.ledger.highestClaim)), served"
                + " \(number(base.ledger.highestServed)), bundled"
                + " \(number(base.ledger.highestBundle))")
        let kept = evidence.contents.filter { $0.place == .kept }.map(\.facts)
        line("kept beside the ledger: \(count(kept))")
        for message in AlarmWording.messages(evidence.survey.alarms()) { line("! \(message)") }
    }

    private func line(_ text: String) { context.console.line(text) }

    private var junk: String {
        evidence.junkClaims.isEmpty ? "" : ", and \(evidence.junkClaims.count) that are not ours"
    }

    private func number(_ number: Int64?) -> String { number.map { String($0) } ?? "none" }

    private func count(_ documents: [DocumentFacts]) -> String {
        guard let highest = documents.map(\.version).max() else { return "none" }
        return "\(documents.count), up to version \(highest)"
    }

    private func answer(
        _ result: String, version: Int64, digest: String?, _ content: RecoveryEvidence.Content?
    ) throws(Failure) {
        if context.wantsJSON {
            context.console.json(
                .object(
                    [
                        ("workspace", .string(workspace.text)), ("version", .integer(version)),
                        ("digest", digest.map { .string($0) } ?? .null),
                        ("result", .string(result)), ("store", .string(store)),
                        (
                            "alarms",
                            .array(
                                AlarmWording.codes(evidence.survey.alarms()).map { .string($0) })
                        ),
                    ] + evidenceJSON(content)))
        } else if let content {
            line(plan(content, version: version, signs: digest == nil))
        } else {
            let rest =
                evidence.unpublished.isEmpty
                ? "nothing speaks against it" : "newer ones are claimed and not served"
            line("version \(version) of \(workspace) is served, and \(rest)")
        }
        try context.console.flush()
    }

    private func evidenceJSON(
        _ content: RecoveryEvidence.Content?
    ) -> [(String, JSONValue)] {
        func list(_ documents: [DocumentFacts]) -> JSONValue {
            .array(
                documents.map {
                    .object([
                        ("version", .integer($0.version)), ("digest", .string($0.payload.hex)),
                    ])
                })
        }
        let ledger = evidence.base.ledger
        func number(_ number: Int64?) -> JSONValue { number.map { .integer($0) } ?? .null }
        return [
            (
                "content",
                content.map {
                    .object([
                        ("version", .integer($0.facts.version)),
                        ("digest", .string($0.facts.payload.hex)),
                        ("place", .string($0.place.rawValue)),
                    ])
                } ?? .null
            ),
            (
                "evidence",
                .object([
                    ("served", number(evidence.base.served.version)),
                    ("claims", list(evidence.claims)),
                    ("junk_claims", .array(evidence.junkClaims.map { .integer($0) })),
                    ("unpublished", list(evidence.unpublished)),
                    ("bundles", list(evidence.bundles)),
                    ("kept", list(evidence.contents.filter { $0.place == .kept }.map(\.facts))),
                    (
                        "ledger",
                        .object([
                            ("claimed", number(ledger.highestClaim)),
                            ("served", number(ledger.highestServed)),
                            ("bundled", number(ledger.highestBundle)),
                        ])
                    ),
                ])
            ),
        ]
    }
}

extension Terminal {
    /// Whether somebody on the terminal types exactly the word; a prompt that cannot be shown, or
    /// is interrupted, is a no.
    static func isConfirmed(_ prompt: String, _ word: String) -> Bool {
        var answer = [UInt8](repeating: 0, count: 256)
        var span = answer.mutableSpan
        guard
            let count = try? readLine(prompt: Array(prompt.utf8), into: &span)
        else { return false }
        return answer.prefix(count).elementsEqual(word.utf8)
    }
}
