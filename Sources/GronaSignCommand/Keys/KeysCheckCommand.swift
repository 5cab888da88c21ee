import CommandLineKit
import GronaCommand
import GronaFormats
import Libcrypto
import LinuxIO
import ProjectFiles
import Signing
import SigningKeys
import StrictJSON

/// `keys check`: do all keys answer, are they the ones on record, is the keyring the one on record.
///
/// What is wrong with one key or keyring does not hold up the others; each key service is asked
/// once for its PIN.
enum KeysCheckCommand {
    private static let accept = Option(
        "accept", ValueReader<SHA256Digest>.digest("DIGEST"),
        help: "take the keyring with this SHA-256 as it is, after it was changed elsewhere")

    static let command = Command(
        "check", .acts, summary: "let every key sign a probe, and compare the keyrings",
        discussion: [
            "Without --workspace all keyrings are checked. A probe is no signing input of anything."
                + " Keys that are retired, destroyed or compromised are left out. A fault with one"
                + " key does not hold up the others; the status is that of the worst."
        ],
        options: [
            accept, SharedOptions.keys, SharedOptions.campaigns, SharedOptions.workspace,
            SharedOptions.state, SharedOptions.strict,
        ] + SignOptions.keyAccess, run: run)

    @Sendable private static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let setup = try SignerSetup(context)
        let asked = try context.workspace()
        guard asked != nil || context.call[accept] == nil else {
            throw context.call.usage(
                "missing-option", "--workspace is missing: --accept takes one keyring")
        }
        let all = try setup.keyrings()
        var faults: [Failure] = []
        if asked == nil {
            faults =
                all.failures.map { Failure($0.error) } + all.missing.map { lost($0.folder) }
        }
        var reports: [Report] = []
        var inFiles: [KeyID] = []
        for workspace in asked.map({ [$0] }) ?? all.files.map(\.keyring.workspace) {
            do throws(Failure) {
                reports.append(try check(workspace, of: all, setup, &faults, &inFiles))
            } catch {
                faults.append(error)
            }
        }
        if !inFiles.isEmpty {
            do throws(Failure) {
                try setup.context.warn(NoteWording.diagnostic(.fileKeyInProduction(inFiles)))
            } catch {
                faults.append(error)
            }
        }
        guard let worst = worst(of: faults) else {
            show(reports, isOne: asked != nil, context)
            return .success
        }
        if !context.wantsJSON {
            show(reports, isOne: asked != nil, context)
            try context.console.flush()
        }
        throw worst
    }

    /// A folder below --keys that lacks its keyring: its keys would go unchecked.
    private static func lost(_ folder: FilePath) -> Failure {
        Failure(
            Diagnostic(
                code: RuleCode.keyringMissing.rawValue,
                message: "there is no keyring.json in this folder of a workspace",
                file: folder.description,
                help: "bring it back from its backup; remove the folder where there never was one",
                exit: .configuration))
    }

    /// What is right about one keyring.
    private struct Report {
        let workspace: WorkspaceName
        let digest: String
        let answered: [KeyRecord]

        var json: JSONValue {
            .object([
                ("workspace", .string(workspace.text)), ("digest", .string(digest)),
                ("answered", .array(answered.map { .string($0.kid.text) })),
            ])
        }
    }

    private static func check(
        _ workspace: WorkspaceName, of all: KeyringFiles, _ setup: SignerSetup,
        _ faults: inout [Failure], _ inFiles: inout [KeyID]
    ) throws(Failure) -> Report {
        let context = setup.context
        var desk = try setup.desk(
            try worded(Failure.init) { () throws(ProjectFileError) in
                try all.usable(workspace, below: setup.keys)
            })
        let wording = setup.wording(desk.keyring.keyring.id)
        if let digest = context.call[accept] {
            try setup.refuseToRehearse(desk.keyring.keyring.id)
            guard digest == desk.keyring.digest else {
                throw wording.failure(
                    .keyring(.changed(recorded: digest.hex, found: desk.keyringDigest)))
            }
            let now = context.now
            _ = try worded(wording.failure) { () throws(SigningError) in
                try desk.acceptKeyring(now: now)
            }
        }
        let first = try worded(wording.failure) { () throws(SigningError) in
            try desk.keyringRecord()
        }
        if first != nil {
            try context.warn(
                NoteWording.keyringUnseen(desk.keyringDigest),
                strictExit: .configuration)
        }
        var answered: [KeyRecord] = []
        for record in desk.keyring.keyring.keys where record.state.answers {
            do throws(Failure) {
                if desk.policy.environment == .production,
                    try setup.signerURI(record.signer, record.kid).scheme == .file
                {
                    inFiles.append(record.kid)
                }
                try probe(record, desk, setup)
                answered.append(record)
            } catch {
                faults.append(error)
            }
        }
        return Report(
            workspace: desk.workspace, digest: desk.keyringDigest, answered: answered)
    }

    private static func probe(
        _ record: KeyRecord, _ desk: SigningDesk, _ setup: SignerSetup
    ) throws(Failure) {
        let key = try setup.open(record, of: desk.keyring)
        try worded(KeyWording.words(record.kid)) { () throws(SigningKeyError) in
            try key.probe(SystemRandom.bytes(32))
        }
    }

    private static func show(_ reports: [Report], isOne: Bool, _ context: CommandContext) {
        if context.wantsJSON {
            let all = JSONValue.object([("workspaces", .array(reports.map(\.json)))])
            return context.console.json(isOne ? reports.first?.json ?? all : all)
        }
        for report in reports {
            for record in report.answered {
                let place = isOne ? "" : "\(report.workspace) "
                context.console.line("\(place)\(record.kid): \(record.state.rawValue), answers")
            }
        }
    }

    /// The fault whose status tells most, with the others behind it.
    private static func worst(of faults: [Failure]) -> Failure? {
        let order: [ExitStatus] = [.fault, .configuration, .notAllowed, .unavailable]
        let ranks = faults.map { order.firstIndex(of: $0.status) ?? order.count }
        guard let first = ranks.indices.min(by: { ranks[$0] < ranks[$1] }) else { return nil }
        var others: [Diagnostic] = []
        for (index, fault) in faults.enumerated() {
            others += (index == first ? [] : [fault.reason]) + fault.others
        }
        return Failure(faults[first].reason, others: others)
    }
}

extension KeyState {
    /// Whether the private half should still answer.
    fileprivate var answers: Bool {
        switch self {
        case .generated, .announced, .standby, .current, .retiring: true
        case .retired, .destroyed, .compromised: false
        }
    }
}
