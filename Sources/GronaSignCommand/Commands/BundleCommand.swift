import CampaignCompiler
import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Signing

/// `bundle`: the copy of a config that an app carries.
enum BundleCommand {
    private static let source = Operand(
        ValueReader<FilePath>.file("SERVED_ENVELOPE"), absentWith: ["batch"],
        help: "what is served now; the campaign folder where delivery is bundle-only")
    private static let keepOffers = Flag(
        "keep-offers", help: "leave the offers in, for a shorter life")

    static let command = Command(
        "bundle", .acts, summary: "sign the copy of a config that an app carries",
        discussion: [
            "It has the version of its source, a short life of its own, and no offers. Only"
                + " 'grona-publish bundle' knows what is served and records the release; alone this"
                + " command says \"not released\".",
            "With --batch each line of standard input is a request:"
                + " {\"id\",\"envelope\":{…},\"lifetime\"?,\"keep_offers\"?}.",
        ],
        synopses: [
            "SERVED_ENVELOPE [options]", "CAMPAIGNS_DIR --version N [options]", "--batch [options]",
        ],
        operands: [source],
        options: [
            SignOptions.version, SignOptions.lifetime, keepOffers, SignOptions.batch,
            SharedOptions.dryRun,
        ] + SignOptions.output + SignOptions.signing,
        exclusive: [
            ["batch", "version"], ["batch", "lifetime"], ["batch", "keep-offers"],
            ["batch", "dry-run"], ["batch", "output"],
        ], run: run)

    @Sendable private static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let call = context.call
        if call[SignOptions.batch] { return try BatchRun.run(.bundle, context) }
        let path = try call.require(source)
        let request = BundleRequest(
            lifetime: call[SignOptions.lifetime].map { .lifetime($0) } ?? .standard,
            keepsOffers: call[keepOffers])
        return WorkspaceInput.isFolder(path)
            ? try bundle(folder: path, request, context)
            : try bundle(file: path, request, context)
    }

    private static func bundle(
        file path: FilePath, _ request: BundleRequest, _ context: CommandContext
    ) throws(Failure) -> ExitStatus {
        guard context.call[SignOptions.version] == nil else {
            throw context.call.usage("version", "a bundle has the version of its source")
        }
        let file = try EnvelopeFile(path, .source)
        let setup = try SignerSetup(context)
        let desk = try setup.desk(
            setup.keyring(having: file.kid, in: setup.keyrings(), file: file.name))
        let now = context.now
        let source = try file.source(at: desk, expiry: .mustBeAhead, now: now)
        let files = [SourceRole.source: file.name]
        let draft = try worded(setup.wording(files: files).failure) { () throws(SigningError) in
            try desk.drafting(at: now).bundle(source, request)
        }
        var run = SigningRun(
            setup: setup, desk: desk, draft: draft, base: source.root, files: files)
        return try run.finish()
    }

    private static func bundle(
        folder: FilePath, _ request: BundleRequest, _ context: CommandContext
    ) throws(Failure) -> ExitStatus {
        let workspace = try WorkspaceInput.read(folder, context)
        let setup = try SignerSetup(context)
        let desk = try setup.desk(workspace.policy.workspace, policy: workspace.policy)
        let now = context.now
        let isBundleOnly = workspace.policy.delivery == .bundleOnly
        let version =
            isBundleOnly
            ? try context.call.require(SignOptions.version)
            : context.call[SignOptions.version] ?? .first
        let draft = try worded(setup.wording().failure) { () throws(SigningError) in
            try desk.drafting(at: now).bundle(workspace, version: version, request)
        }
        var run = SigningRun(setup: setup, desk: desk, draft: draft, base: nil, files: [:])
        return try run.finish()
    }
}
