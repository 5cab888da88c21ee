import CommandLineKit
import GronaCommand
import GronaFormats
import Libcrypto
import LinuxIO
import ProjectFiles
import Signing
import SigningKeys
import StrictJSON

/// `keys check`: does every key answer, and is the keyring the one on record.
enum KeysCheckCommand {
    private static let accept = Option(
        "accept", ValueReader<SHA256Digest>.digest("DIGEST"),
        help: "take the keyring with this SHA-256 as it is, after it was changed elsewhere")

    static let command = Command(
        "check", .acts, summary: "let every key sign a probe, and compare the keyring",
        discussion: [
            "A probe is no signing input of anything. Keys that are retired, destroyed or"
                + " compromised are left out."
        ],
        options: [
            accept, SharedOptions.keys, SharedOptions.campaigns, SharedOptions.workspace,
            SharedOptions.state, SharedOptions.strict,
        ] + SignOptions.keyAccess, run: run)

    @Sendable private static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let setup = try SignerSetup(context)
        var desk = try setup.desk(try context.requireWorkspace())
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
                NoteWording.diagnostic(.keyringFirstUse(desk.keyringDigest)),
                strictExit: .configuration)
        }
        var answered: [KeyRecord] = []
        for record in desk.keyring.keyring.keys where record.state.answers {
            if desk.policy.environment == .production,
                try setup.signerURI(record.signer, record.kid).scheme == .file
            {
                try context.warn(NoteWording.diagnostic(.fileKeyInProduction(record.kid)))
            }
            let key = try setup.open(record, of: desk.keyring)
            try worded(KeyWording.words(record.kid)) {
                () throws(SigningKeyError) in
                try key.probe(SystemRandom.bytes(32))
            }
            answered.append(record)
        }
        if context.wantsJSON {
            context.console.json(
                .object([
                    ("workspace", .string(desk.workspace.text)),
                    ("digest", .string(desk.keyringDigest)),
                    ("answered", .array(answered.map { .string($0.kid.text) })),
                ]))
        } else {
            for record in answered {
                context.console.line("\(record.kid): \(record.state.rawValue), answers")
            }
        }
        return .success
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
