import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import Signing

/// `renew`: the same content with new times; with `--disable` or `--enable` also with switches
/// turned.
enum RenewCommand {
    private static let envelope = Operand(
        ValueReader<FilePath>.file("SERVED_ENVELOPE"), absentWith: ["batch"],
        help: "the config to renew, as a rule what is served")
    private static let within = Option(
        "if-expires-within", ValueReader<DurationSeconds>.duration(),
        help: "do nothing, and write nothing, where more life than this is left")
    private static let shorten = Flag("shorten", help: "it may end before its source")
    private static let allowDisable = Flag(
        "allow-disable", help: "with --batch: requests may switch campaigns off")

    static let command = Command(
        "renew", .acts, summary: "sign the same content again, with new times",
        discussion: [
            "--disable ID switches a campaign off at the same time: the way on the worst day."
                + " --enable ID switches one on again, and is for people, never for a batch.",
            "With --batch each line of standard input is a request:"
                + " {\"id\",\"envelope\":{…},\"version\":N,\"lifetime\"?,\"disable\"?:[…]};"
                + " each is answered, in order, by {\"id\",\"envelope\":{…},\"audit\":HEAD} or"
                + " {\"id\",\"error\":{…}}.",
        ],
        operands: [envelope],
        options: [
            SignOptions.version, within, SignOptions.lifetime, shorten, SignOptions.disable,
            SignOptions.enable, SignOptions.batch, allowDisable, SharedOptions.dryRun,
        ] + SignOptions.output + SignOptions.signing,
        exclusive: [
            ["batch", "version"], ["batch", "if-expires-within"], ["batch", "lifetime"],
            ["batch", "shorten"], ["batch", "disable"], ["batch", "enable"],
            ["batch", "dry-run"], ["batch", "output"], ["if-expires-within", "disable"],
            ["if-expires-within", "enable"],
        ],
        examples: [
            .init(
                "grona-sign renew served.json --if-expires-within 7d -o next.json",
                "renews a config in its last week"),
            .init(
                "grona-sign renew served.json --disable weekend-offer -o off.json",
                "switches an offer off"),
        ], run: run)

    @Sendable private static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let call = context.call
        if call[SignOptions.batch] {
            return try BatchRun.run(.renew(allowsDisable: call[allowDisable]), context)
        }
        guard !call[allowDisable] else {
            throw call.usage("allow-disable", "--allow-disable goes with --batch only")
        }
        let (off, on) = (call.all(SignOptions.disable), call.all(SignOptions.enable))
        if let both = off.first(where: { on.contains($0) }) {
            throw call.usage("enable", "\(both) is to be switched both off and on")
        }
        let file = try EnvelopeFile(try call.require(envelope), .source)
        let setup = try SignerSetup(context)
        let desk = try setup.desk(
            setup.keyring(having: file.kid, in: setup.keyrings(), file: file.name),
            forKill: !off.isEmpty)
        let now = context.now
        let source = try file.source(at: desk, now: now)
        if let within = call[within], source.payload.expiresAt.since(now) > within {
            return .success
        }
        var request = RenewRequest(version: call[SignOptions.version])
        if let lifetime = call[SignOptions.lifetime] { request.lifetime = .lifetime(lifetime) }
        request.shortens = call[shorten]
        request.disabling = off.map(\.text)
        request.enabling = on.map(\.text)
        let wish = request
        let files = [SourceRole.source: file.name]
        let draft = try worded(setup.wording(files: files).failure) { () throws(SigningError) in
            try desk.drafting(at: now).renew(source, wish)
        }
        var run = SigningRun(
            setup: setup, desk: desk, draft: draft, base: source.root, files: files)
        return try run.finish()
    }
}
