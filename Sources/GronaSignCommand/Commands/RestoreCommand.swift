import CommandLineKit
import GronaCommand
import LinuxIO
import Signing

/// `restore`: older content under a new version.
enum RestoreCommand {
    private static let old = Operand(
        ValueReader<FilePath>.file("OLD_ENVELOPE"), absentWith: ["batch"],
        help: "the config whose content is to come back")
    private static let served = Option(
        "served", ValueReader<FilePath>.file("ENVELOPE"),
        help: "what is served now; what is off there stays off")

    static let command = Command(
        "restore", .acts, summary: "sign older content again, under a new version",
        discussion: [
            "The version rises, since installs never go back. Every campaign that is off in what is"
                + " served stays off: going back must not switch a stopped offer on.",
            "With --batch each line of standard input is a request:"
                + " {\"id\",\"envelope\":{…},\"served\":{…},\"version\":N,\"lifetime\"?}.",
        ],
        operands: [old],
        options: [
            served, SignOptions.version, SignOptions.lifetime, SignOptions.batch,
            SharedOptions.dryRun,
        ] + SignOptions.output + SignOptions.signing,
        exclusive: [
            ["batch", "served"], ["batch", "version"], ["batch", "lifetime"],
            ["batch", "dry-run"], ["batch", "output"],
        ],
        examples: [
            .init(
                "grona-sign restore version-7.json --served served.json -o back.json",
                "brings the content of version 7 back")
        ], run: run)

    @Sendable private static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let call = context.call
        if call[SignOptions.batch] { return try BatchRun.run(.restore, context) }
        let oldFile = try EnvelopeFile(try call.require(old), .old)
        let servedFile = try EnvelopeFile(try call.require(served), .served)
        let setup = try SignerSetup(context)
        let desk = try setup.desk(
            setup.keyring(having: servedFile.kid, in: setup.keyrings(), file: servedFile.name))
        let now = context.now
        let base = try servedFile.source(at: desk, now: now)
        let source = try oldFile.source(at: desk, now: now)
        let files = [SourceRole.old: oldFile.name, .served: servedFile.name]
        let draft = try worded(setup.wording(files: files).failure) { () throws(SigningError) in
            try desk.drafting(at: now).restore(
                source, served: base, version: call[SignOptions.version],
                lifetime: call[SignOptions.lifetime].map { .lifetime($0) } ?? .standard)
        }
        var run = SigningRun(
            setup: setup, desk: desk, draft: draft, base: base.root, files: files)
        return try run.finish()
    }
}
