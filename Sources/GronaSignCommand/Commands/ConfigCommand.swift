import CampaignCompiler
import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Signing
import SigningKeys

/// `config`: a campaign folder becomes a signed config.
enum ConfigCommand {
    private static let folder = Operand(
        ValueReader<FilePath>.folder("CAMPAIGNS_DIR"), help: "the campaign folder of a workspace")
    private static let after = Option(
        "after", ValueReader<FilePath>.file("ENVELOPE"),
        help: "the envelope that it follows, as a rule what is served; gives the version, and"
            + " whatever was off there has to be named to be on")
    private static let expiresAt = Option(
        "expires-at", ValueReader<UnixTime>.time(), help: "when it ends, instead of --lifetime")
    private static let issuedAt = Option(
        "issued-at", ValueReader<UnixTime>.time(), builtIn: "now",
        help: "when it says that it was issued, at most 300 seconds ahead")
    private static let kid = Option(
        "kid", ValueReader<KeyID>.kid(), builtIn: "the current config key",
        help: "refuse to sign with another key than this")
    private static let raiseMinSDK = Flag(
        "raise-min-sdk", help: "min_sdk may rise, which strands apps with an older SDK")
    private static let allowJump = Option(
        "allow-jump", ValueReader<ConfigVersion>.version(),
        help: "the version again, where it is over 1,000 above the highest one known")

    static let command = Command(
        "config", .acts, summary: "sign a campaign folder as a config",
        discussion: [
            "Lints the folder, checks the step from the envelope that it follows, opens the key,"
                + " writes the audit log, signs, checks the result as a device would, and writes it.",
            "With --dry-run it shows what would change, and no key is touched.",
        ],
        operands: [folder],
        options: [
            SignOptions.version, after, SignOptions.lifetime, expiresAt, issuedAt, kid,
            SignOptions.enable, raiseMinSDK, allowJump, SharedOptions.dryRun,
        ] + SignOptions.output + SignOptions.signing,
        exclusive: [["lifetime", "expires-at"]],
        examples: [
            .init(
                "grona-sign config campaigns/acme-market --after served.json --dry-run",
                "shows what would change"),
            .init(
                "grona-sign config campaigns/acme-market --after served.json -o next.json",
                "signs the next version"),
        ], run: run)

    @Sendable private static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let call = context.call
        let version = call[SignOptions.version]
        guard version != nil || call[after] != nil else {
            throw call.usage("missing-option", "--version or --after is missing")
        }
        let workspace = try WorkspaceInput.read(try call.require(folder), context)
        let follows = try call[after].map { path throws(Failure) in
            try EnvelopeFile(path, .after)
        }
        let setup = try SignerSetup(context)
        let desk = try setup.desk(workspace.policy.workspace, policy: workspace.policy)
        let source = try follows.map { file throws(Failure) in
            try file.source(at: desk, now: context.now)
        }
        var request = ConfigRequest(version: version)
        if let lifetime = call[SignOptions.lifetime] { request.lifetime = .lifetime(lifetime) }
        if let end = call[expiresAt] { request.lifetime = .until(end) }
        request.issuedAt = call[issuedAt]
        request.kid = call[kid]
        request.enabling = call.all(SignOptions.enable).map(\.text)
        request.raisesMinSDK = call[raiseMinSDK]
        request.allowedJump = call[allowJump]?.number
        let files: [SourceRole: String] = follows.map { [.after: $0.name] } ?? [:]
        let (wish, now) = (request, context.now)
        let draft = try worded(setup.wording(files: files).failure) { () throws(SigningError) in
            try desk.drafting(at: now).config(workspace, after: source, wish)
        }
        if workspace.policy.environment == .production,
            try setup.signerURI(draft.key.signer, draft.key.kid).scheme == .file
        {
            try context.warn(NoteWording.diagnostic(.fileKeyInProduction([draft.key.kid])))
        }
        var run = SigningRun(
            setup: setup, desk: desk, draft: draft, base: source?.root, files: files)
        return try run.finish()
    }
}
