import CommandLineKit
import GronaFormats
import PublishProtocol
import Publishing

/// What needs a hand in words, and the commands that a hand would type next.
struct StatusAdvice {
    /// `--from` or `--to` in front of the store, where the commands would not find it themselves.
    let store: String?
    let given: GivenOptions
    /// Whether who reads it may call a few commands only, and name no file.
    let isForOperators: Bool

    /// The store as a word for a shell, where it has to be named at all.
    ///
    /// - Parameter name: nil where the settings of the next command name the same store.
    init(
        store name: String?, given: GivenOptions = GivenOptions(), isForOperators: Bool = false
    ) {
        store = name.map(Self.word)
        self.given = given
        self.isForOperators = isForOperators
    }

    func findings(_ alarms: [Alarm], in workspace: WorkspacePicture) -> [StatusFinding] {
        AlarmWording.diagnostics(alarms, file: nil).map { diagnostic in
            StatusFinding(
                code: diagnostic.code, message: diagnostic.message, help: diagnostic.help,
                commands: commands(diagnostic.code, workspace))
        }
    }

    static let unpublishedCode = "claim.unpublished"

    /// The words for versions that are claimed above what is served.
    static func unpublished(_ versions: [Int64]) -> String {
        let numbers = versions.map { String($0) }.joined(separator: ", ")
        return versions.count == 1
            ? "version \(numbers) is signed and claimed in the store, above what is served"
            : "versions \(numbers) are signed and claimed in the store, above what is served"
    }

    /// What numbers alone tell: what was signed and not published, claims above what is served, and a served number from which there is
    /// no way on, or that nobody can have come to in one step.
    ///
    /// - Returns: with each whether it is an alarm. A publisher may be at work between claim and
    ///   swap; where the ledger knows nothing, it was lost, and nobody knows what was served.
    func findings(
        of base: Publication.Base, kept: DocumentFacts?, _ waiting: WaitingVersion? = nil,
        in workspace: WorkspacePicture
    ) -> [(finding: StatusFinding, isAlarm: Bool)] {
        guard workspace.delivery == .served else { return [] }
        var findings: [(StatusFinding, Bool)] = []
        let marks = base.marks
        if marks.nextVersion == nil {
            findings.append(
                (
                    StatusFinding(
                        code: "version.exhausted",
                        message: RefusalWording.message(.versionsExhausted(mark: marks.claimed)),
                        help: RefusalWording.help(.versionsExhausted(mark: marks.claimed))), true
                ))
        }
        let known = max(
            base.ledger.highestClaim ?? 0, base.ledger.highestServed ?? 0, marks.bundled ?? 0)
        if let version = base.served.version, base.ledger.highestClaim != nil,
            version > known, version - known > VersionRules.largestStep
        {
            findings.append(
                (
                    StatusFinding(
                        code: "version.jump",
                        message:
                            "version \(version) is served, and \(known) is the highest that the"
                            + " ledger knows",
                        help: "find out who signed and published it: installs never go back below",
                        commands: [history(workspace)]), true
                ))
        }
        if let waiting {
            findings.append((waits(waiting, in: workspace), true))
        } else if let kept {
            let words = outdated(workspace)
            findings.append(
                (
                    StatusFinding(
                        code: RefreshOutcome.unpublishedNewer,
                        message: "version \(kept.version) was signed by a run on this host that"
                            + " could not publish it; where it was given up since, this is told"
                            + " until a 'refresh' has asked the signer",
                        help: words.help(kept.version, isAtHand: true),
                        commands: words.commands(kept.version)), true
                ))
        }
        let claims = base.unpublished.map(\.version).filter { $0 != kept?.version }
        if let newest = claims.first, base.served.version != nil {
            let words = outdated(workspace)
            findings.append(
                (
                    StatusFinding(
                        code: Self.unpublishedCode, message: Self.unpublished(claims),
                        help: words.help(newest, isAtHand: true),
                        commands: words.commands(newest)), base.ledger.highestClaim == nil
                ))
        }
        return findings
    }

    /// The words for a version that was signed, never published, and holds renewals up.
    func heldUp(_ version: Int64, in workspace: WorkspacePicture) -> StatusFinding {
        let words = outdated(workspace)
        return StatusFinding(
            code: RefreshOutcome.unpublishedNewer,
            message: "version \(version) was signed and is not served, so 'refresh' renews nothing,"
                + " as the signer said when it was asked last; told until a 'refresh' finds that it"
                + " is published or given up",
            help: words.help(version, isAtHand: false))
    }

    private func outdated(_ workspace: WorkspacePicture) -> OutdatedWording {
        OutdatedWording(
            workspace: workspace.workspace, store: store ?? Self.word(workspace.store),
            isForOperators: isForOperators)
    }

    /// A version that the next refresh publishes, and the kill that it is.
    private func waits(
        _ waiting: WaitingVersion, in workspace: WorkspacePicture
    ) -> StatusFinding {
        let version = waiting.facts.version
        let killed = KillWording.list(waiting.switchesOff)
        return StatusFinding(
            code: RefreshOutcome.unpublishedNewer,
            message: killed.isEmpty
                ? "version \(version), a renewal, was signed by a run on this host that could not"
                    + " publish it"
                : "a kill waits: \(KillWording.on(waiting.switchesOff)), and version \(version),"
                    + " which switches \(killed) off, was signed by a run on this host that could"
                    + " not publish it",
            help: "the next refresh publishes it, unless the signer says that it was given up",
            commands: refresh(workspace))
    }

    /// The last try to change it failed, and nothing newer was published since.
    func refused(_ refusal: LedgerRefusal, in workspace: WorkspacePicture) -> StatusFinding {
        StatusFinding(
            code: refusal.code,
            message: "the last try to sign it anew failed, at \(refusal.time), and nothing newer"
                + " was published since",
            help: "'refresh' tries it again where it is due, and tells what is wrong; what else"
                + " failed, such as a kill, is run again; 'grona-publish help \(refusal.code)' says"
                + " what to do",
            commands: refresh(workspace))
    }

    /// Why the last run did not renew it, and no later one will.
    func refused(_ refusal: RefusedRenewal) -> StatusFinding {
        StatusFinding(
            code: refusal.code,
            message: "the last 'refresh' could not renew it: \(refusal.message)",
            help: refusal.help)
    }

    /// What the state alone asks for, where no alarm says it.
    func finding(of workspace: WorkspacePicture) -> StatusFinding? {
        switch workspace.state {
        case .missing where workspace.findings.isEmpty:
            StatusFinding(
                code: "served.missing", message: "nothing is served",
                help: "sign a config and publish it; where one was served before, 'grona-publish"
                    + " recover' brings it back",
                commands: workspace.nextVersion.map { $0 > 1 } ?? true
                    ? recover(workspace) : isForOperators ? [] : publish(workspace))
        case .expiring:
            StatusFinding(
                code: "served.expiring", message: "less than a quarter of its life is left",
                help: "'refresh' signs the same content again, and publishes it; find out why"
                    + " nothing did",
                commands: refresh(workspace))
        case .fine, .expired, .missing, .untrusted, .refused, .rolledBack, .otherContent,
            .bundleOnly, .unreadable:
            nil
        }
    }

    /// What is served is ours, and signed by a key that devices are not to trust any more.
    func finding(ofKey warning: Diagnostic, in workspace: WorkspacePicture) -> StatusFinding {
        StatusFinding(
            code: warning.code, message: warning.message, help: warning.help,
            commands: ["grona-publish refresh \(workspace.workspace)\(to)"])
    }

    /// A workspace that cannot be looked at.
    static func finding(_ diagnostic: Diagnostic) -> StatusFinding {
        StatusFinding(
            code: diagnostic.code,
            message: (diagnostic.file.map { "\($0): " } ?? "") + diagnostic.message,
            help: diagnostic.help)
    }

    private func commands(_ code: String, _ workspace: WorkspacePicture) -> [String] {
        switch code {
        case "served.unusable" where workspace.state == .expired: refresh(workspace)
        case "served.unusable", "served.rolled-back", "served.other-content":
            recover(workspace)
        default: [history(workspace)]
        }
    }

    private func history(_ workspace: WorkspacePicture) -> String {
        "grona-publish history \(workspace.workspace)\(from)"
    }

    /// What was served before goes back; the first command only shows it.
    private func recover(_ workspace: WorkspacePicture) -> [String] {
        let command = "grona-publish recover \(workspace.workspace)\(to)"
        return ["\(command) --dry-run", command]
    }

    /// What is not due by its policy, though little of its life is left, is renewed where that is
    /// said.
    private func refresh(_ workspace: WorkspacePicture) -> [String] {
        let isNotDue =
            workspace.state == .expiring
            && workspace.life.map { $0.dueAt > $0.quarterAt } ?? false
        return [
            "grona-publish refresh \(workspace.workspace)\(isNotDue ? " --within 400d" : "")\(to)"
        ]
    }

    private func publish(_ workspace: WorkspacePicture) -> [String] {
        let version = workspace.nextVersion.map { " --version \($0)" } ?? ""
        return [
            "grona-sign config campaigns/\(workspace.workspace)\(version)\(given.signing)"
                + " -o next.json --force",
            "grona-publish push next.json\(to)",
        ]
    }

    private var from: String { (store.map { " --from \($0)" } ?? "") + given.reading }

    private var to: String { (store.map { " --to \($0)" } ?? "") + given.publishing }

    /// A text as one word of a POSIX shell.
    static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/:._-=,@%+".utf8.contains(byte)
            }
        }
        if isPlain, !text.isEmpty { return text }
        var quoted = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }
}
