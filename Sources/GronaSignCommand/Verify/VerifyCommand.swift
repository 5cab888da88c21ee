import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO

/// The command `verify`: what a device, or an order backend, says to a document.
enum VerifyCommand {
    static let command = Command(
        "verify", .reads, summary: "check a config, grant or preview pin as its reader would",
        discussion: [
            "Shows every check in the reader's order; the first one that fails is the verdict."
                + " Nothing of a document is shown as fact before its signature holds.",
            "Trusted are the current, retiring and next keys of the keyrings, or the keys of --pins."
                + " Without --workspace it is the workspace whose keyring has the kid.",
            "The status is 0 when the document is accepted and 1 when it is not, malformed input"
                + " included.",
        ],
        synopses: [
            "FILE|- [--workspace W] [--sdk-version V] [--highest-version N] [--demo]"
                + " [--channel remote|bundle]",
            "--grant TOKEN|- [--sub S|-] [--campaign ID] [--variant ID] [--type T] [--value N]"
                + " [--used-jti FILE]",
            "--preview TOKEN|-",
        ],
        operands: [VerifyOptions.file],
        options: [
            VerifyOptions.sdkVersion, VerifyOptions.highestVersion, VerifyOptions.demo,
            VerifyOptions.channel, VerifyOptions.grant, VerifyOptions.preview, VerifyOptions.sub,
            VerifyOptions.campaign, VerifyOptions.variant, VerifyOptions.type,
            VerifyOptions.value, VerifyOptions.usedNonces, SharedOptions.workspace,
            SharedOptions.pins, SharedOptions.keys,
        ],
        exclusive: [["grant", "preview"]],
        examples: [
            .init(
                "grona-sign verify served.json --pins pins.json --sdk-version 1.4.0",
                "What an app of SDK 1.4.0 with these pins does with a config"),
            .init(
                "grona-sign verify --grant - --sub cus_7Hq2Lm9x --used-jti used.ndjson <grant.jwt",
                "A grant, as an order backend checks it; each nonce once"),
        ]
    ) { context throws(Failure) in
        try VerifyOptions.check(context.call)
        if let token = context.call[VerifyOptions.grant] {
            return try VerifyToken(context).grant(token)
        }
        if let token = context.call[VerifyOptions.preview] {
            return try VerifyToken(context).preview(token)
        }
        return try VerifyConfig(context).run(try context.call.require(VerifyOptions.file))
    }
}
