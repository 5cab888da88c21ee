package import CommandLineKit
import GronaCommand
import PKCS11Keys

/// `grona-sign`: reaches keys and never the network.
package enum GronaSignProgram {
    package static let program = Program(
        name: "grona-sign", version: GronaProgram.version, manualDate: GronaProgram.manualDate,
        summary: "sign configs, bundles, grants and preview pins",
        discussion: [
            "grona-sign turns campaign folders into signed configs and bundles, and mints grants and"
                + " preview pins. It reaches keys and never the network; what it has signed it"
                + " remembers in an audit log, which decides what may be signed next."
        ],
        commands: commands, environment: environment, files: GronaProgram.files + files,
        examples: [
            .init("grona-sign check campaigns/acme-market", "lints a campaign folder"),
            .init(
                "grona-sign config campaigns/acme-market --after served.json -o next.json",
                "signs the next version"),
            .init("grona-sign verify next.json --sdk-version 1.4.0", "checks it as a device would"),
        ],
        seeAlso: ["grona-publish 1", "openssl 1"], topics: CodeTable.topics)

    /// Ends what commands have opened, at the end of the process.
    ///
    /// - Returns: whether the exit may wait for the handlers of libraries: not once a module is in
    ///   the process, whose threads and destructors nobody knows.
    package static func end() -> Bool {
        Modules.ofProcess.shutDown()
        return Modules.ofProcess.isEmpty
    }

    /// One entry a command, in the order of the help.
    package static let commands: [Command] = [
        InitCommand.command, CheckCommand.command, ConfigCommand.command, RenewCommand.command,
        RestoreCommand.command,
        BundleCommand.command, GrantCommand.command, PreviewCommand.command,
        VerifyCommand.command, InspectCommand.command, KeysCommand.command,
        AuditCommand.command,
        SettingsCommand.command(SharedSettings.common),
    ]

    private static let environment: [Program.Entry] =
        GronaProgram.environment + [
            .init(
                "CREDENTIALS_DIRECTORY", "Set by systemd(1): where credentials are, keys and PINs."),
            .init("GRONA_PASSPHRASE_FILE", "Default of --passphrase-file."),
        ]

    private static let files: [Program.Entry] = [
        .init("STATE/KEYRING_ID/audit.ndjson", "The audit log of a keyring."),
        .init(
            "STATE/refused-pins",
            "Which PIN files a token has refused; never a PIN. See --retry-pin."),
        .init("STATE/KEYRING_ID/issuance", "Which grants were given out, one file a run."),
    ]
}
