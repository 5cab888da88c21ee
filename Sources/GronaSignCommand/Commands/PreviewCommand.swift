import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Signing
import StrictJSON

/// `preview`: a pin that lets a tester force a variant.
enum PreviewCommand {
    static let command = Command(
        "preview", .acts, summary: "sign a pin that lets a tester force a variant",
        discussion: [
            "A pin carries no customer and no value, so it can never pass for a grant. Campaigns"
                + " that are off or have not begun can be previewed."
        ],
        operands: [GrantCommand.source],
        options: [SignOptions.campaign, SignOptions.variant, SignOptions.ttl]
            + SignOptions.output + SignOptions.signing, run: run)

    @Sendable private static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let call = context.call
        let setup = try SignerSetup(context)
        var (desk, campaigns) = try TokenSource.open(try call.require(GrantCommand.source), setup)
        let request = PreviewRequest(
            campaign: try call.require(SignOptions.campaign),
            variant: try call.require(SignOptions.variant), lifetime: call[SignOptions.ttl])
        let now = context.now
        guard let nonce = Identifier(utf8: SystemRandom.hexadecimal(12)) else { return .fault }
        let claims = try worded(PreviewWording.failure) {
            () throws(PreviewRefusal) in
            try campaigns.claims(request, policy: desk.policy, nonce: nonce, now: now)
        }
        let wording = setup.wording(desk.keyring.keyring.id)
        let record = try worded(wording.failure) { () throws(SigningError) in
            _ = try desk.keyringRecord()
            return try desk.drafting(at: now).signingKey(.config)
        }
        let key = try setup.open(record, of: desk.keyring)
        let output = try context.documentOutput(permissions: 0o600)
        let token = try worded(wording.failure) { () throws(SigningError) in
            try desk.preview(claims, with: key, now: now)
        }
        try TokenSource.write(
            token, output, context,
            [
                ("cmp", .string(claims.campaign.text)), ("var", .string(claims.variant.text)),
                ("jti", .string(claims.nonce.text)), ("exp", .integer(claims.expiresAt.seconds)),
            ])
        return .success
    }
}
