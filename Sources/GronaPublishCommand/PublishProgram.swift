package import CommandLineKit
import GronaCommand

/// `grona-publish`: puts configs where devices fetch them, and never reaches a private key.
package enum PublishProgram {
    package static let program: Program = Program(
        name: "grona-publish", version: GronaProgram.version, manualDate: GronaProgram.manualDate,
        summary: "publish signed configurations where devices fetch them",
        discussion: [
            "A version is a ratchet on every device: what was served under a number is never"
                + " served under it again with another content, and the served version never"
                + " falls. Each change of the store is made under a condition that the store"
                + " itself holds at the instant of writing, and is read back as a device would"
                + " read it. A run that was killed is repeated with the same command.",
            "This program reads public keys alone. Where it needs a signature, it asks a signer,"
                + " which is a program of its own.",
        ],
        commands: [
            PushCommand.command, FetchCommand.command, BundleCommand.command,
            StatusCommand.command, HistoryCommand.command, DiffCommand.command,
            NextVersionCommand.command, RefreshCommand.command, HealthCommand.command,
            KillCommand.command, RollbackCommand.command, RecoverCommand.command,
            DoctorCommand.command, settings,
        ],
        environment: GronaProgram.environment + [
            .init("AWS_ACCESS_KEY_ID", "Who asks an s3 store; with AWS_SECRET_ACCESS_KEY."),
            .init("AWS_PROFILE", "The profile in the shared credentials file; else default."),
            .init("AWS_SECRET_ACCESS_KEY", "The secret key of an s3 store."),
            .init("AWS_SESSION_TOKEN", "The session token of temporary credentials."),
            .init(
                "AWS_SHARED_CREDENTIALS_FILE",
                "The shared credentials file; else ~/.aws/credentials."),
            .init("CREDENTIALS_DIRECTORY", "Set by systemd(1): store-token and ledger-token."),
            .init("GRONA_ALLOW_HTTP", "1 or true is --allow-http."),
            .init("GRONA_BUNDLES_URL", "Default of --bundles-url."),
            .init("GRONA_CA", "Default of --ca."),
            .init("GRONA_CLAIMS_URL", "Default of --claims-url."),
            .init("GRONA_HTTP_TIMEOUT", "Default of --http-timeout."),
            .init("GRONA_LEDGER_TOKEN_FILE", "Default of --ledger-token-file."),
            .init("GRONA_TOKEN_FILE", "Default of --token-file."),
        ],
        files: GronaProgram.files + [
            .init(
                "STATE/stores/DIGEST/ledger.ndjson",
                "What this host did with a store and saw served by it; DIGEST is the beginning of"
                    + " the SHA-256 of the store's address."),
            .init(
                "STATE/stores/DIGEST/probe.json",
                "What the store does with conditions, as doctor found it."),
            .init("STATE/stores/DIGEST/envelopes", "Every envelope that was seen served."),
            .init(
                "STATE/stores/DIGEST/refresh.json",
                "What one refresh tells the next; refresh.lock is locked while one is under way."),
            .init(
                "STATE/stores/DIGEST/staged",
                "Renewals that were signed and could not be published yet."),
            .init("STORE/v1/mobile/workspaces/WORKSPACE/config", "What the config URL serves."),
            .init(
                "STORE/v1/mobile/workspaces/WORKSPACE/versions",
                "Every version that was ever claimed; never changed."),
            .init(
                "STORE/v1/mobile/workspaces/WORKSPACE/bundles",
                "Every bundle that was released; never changed."),
        ],
        examples: [
            .init("grona-publish push next.json", "publishes a signed config"),
            .init(
                "grona-publish bundle acme-market --pins release-pins.json -o bundle.json",
                "makes the copy that an app release carries"),
            .init(
                "grona-publish kill acme-market weekend-offer",
                "switches an offer off where devices fetch"),
            .init("grona-publish status", "shows what is served and what needs a hand"),
            .init("grona-publish refresh --all", "renews what is due; a timer runs it"),
        ],
        seeAlso: ["grona-sign 1"], topics: CodeTable.topics)

    /// Runs the program on the arguments of this process and ends the process.
    package static func main() -> Never {
        GronaProgram.run(program)
    }

    private static let settings = SettingsCommand.command(
        [
            SharedSettings.keys, SharedSettings.pins, SharedSettings.campaigns,
            SharedSettings.workspace, SharedSettings.to, SharedSettings.from, SharedSettings.state,
            SharedSettings.ledger, SharedSettings.signer, SharedSettings.signerTimeout,
            SharedSettings.strict,
        ] + StoreSettings.all
    ) { context, setting in
        switch setting.name {
        case SharedSettings.ledger.name: LedgerPlace.builtIn(context)
        case SharedSettings.signer.name: SignerLookup.builtIn
        default: nil
        }
    }
}
