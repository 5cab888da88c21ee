import CampaignCompiler
import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Signing
import StrictJSON

/// `grant`: one grant for one shopper.
enum GrantCommand {
    static let source = Operand(
        ValueReader<FilePath>.file("SOURCE"),
        help: "the served config, or a campaign folder, which warns")
    private static let subject = Option(
        "sub", ValueReader<[UInt8]>.bytes("CUSTOMER|-"), isRequired: true,
        help: "the opaque customer id; - reads it from standard input")

    static let command = Command(
        "grant", .acts, summary: "mint one grant for one shopper",
        discussion: [
            "Campaign, variant, treatment type and value come from the config, never from the"
                + " caller. The grant is in the issuance log before its token is printed."
        ],
        operands: [source],
        options: [SignOptions.campaign, SignOptions.variant, subject, SignOptions.ttl]
            + SignOptions.output + SignOptions.signing,
        examples: [
            .init(
                "grona-sign grant served.json --campaign weekend-offer --variant B"
                    + " --sub cus_7Hq2Lm9x", "mints a grant")
        ], run: run)

    @Sendable private static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let call = context.call
        let setup = try SignerSetup(context)
        var (desk, campaigns) = try TokenSource.open(try call.require(source), setup)
        let request = GrantRequest(
            subject: try customer(context), campaign: try call.require(SignOptions.campaign),
            variant: try call.require(SignOptions.variant), lifetime: call[SignOptions.ttl])
        let now = context.now
        guard let nonce = Identifier(utf8: SystemRandom.hexadecimal(12)) else { return .fault }
        let claims = try worded(GrantWording.failure) {
            () throws(GrantRefusal) in
            try campaigns.claims(
                request, policy: desk.policy, nonce: nonce, now: now)
        }
        let id = desk.keyring.keyring.id
        let wording = setup.wording(id)
        let record = try worded(wording.failure) { () throws(SigningError) in
            _ = try desk.keyringRecord()
            return try desk.drafting(at: now).signingKey(.grant)
        }
        let key = try setup.open(record, of: desk.keyring)
        let output = try context.documentOutput(permissions: 0o600)
        let folder = StateFolder(setup.state).keyring(id).issuance
        try worded(Failure.init) { () throws(ProjectFileError) in
            try StateFolder.create(folder)
        }
        try Ownership.require(folder)
        let token = try worded(wording.failure) { () throws(SigningError) in
            try desk.grant(
                claims, with: key, loggingIn: folder, process: UserIdentity.processID, now: now)
        }
        try TokenSource.write(
            token, output, context,
            [
                ("sub", .string(claims.subject)), ("cmp", .string(claims.campaign.text)),
                ("var", .string(claims.variant.text)), ("jti", .string(claims.nonce.text)),
                ("exp", .integer(claims.expiresAt.seconds)),
            ])
        return .success
    }

    /// The customer id; one LF or CRLF at the end of standard input is not part of it.
    private static func customer(_ context: CommandContext) throws(Failure) -> String {
        var bytes = try context.call.require(subject)
        if bytes == Array("-".utf8) {
            bytes = try InputDocument.readLine(limit: Limits.Reader.line)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(
                Diagnostic(
                    code: RuleCode.grantSubject.rawValue, message: "the customer id is not UTF-8",
                    help: "give the opaque id that the app passes to identify", exit: .refused))
        }
        return text
    }
}

extension ValueReader where Value == [UInt8] {
    /// Any bytes: what they have to be is for the rules to say.
    static func bytes(_ name: String) -> ValueReader<[UInt8]> {
        ValueReader(name) { bytes throws(ValueRefusal) in bytes }
    }
}
