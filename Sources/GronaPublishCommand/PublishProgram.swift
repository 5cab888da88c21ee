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
            NextVersionCommand.command, settings,
        ],
        environment: GronaProgram.environment,
        files: GronaProgram.files + [
            .init(
                "STATE/stores/DIGEST/ledger.ndjson",
                "What this host did with a store and saw served by it; DIGEST is the beginning of"
                    + " the SHA-256 of the store's address."),
            .init("STATE/stores/DIGEST/envelopes", "Every envelope that was seen served."),
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
            .init("grona-publish status", "shows what is served and what needs a hand"),
        ],
        seeAlso: ["grona-sign 1"])

    /// Runs the program on the arguments of this process and ends the process.
    package static func main() -> Never {
        GronaProgram.run(program)
    }

    private static let settings = SettingsCommand.command([
        SharedSettings.keys, SharedSettings.pins, SharedSettings.campaigns,
        SharedSettings.workspace, SharedSettings.to, SharedSettings.from, SharedSettings.state,
        SharedSettings.ledger, SharedSettings.signer, SharedSettings.signerTimeout,
        SharedSettings.strict,
    ]) { context, setting in
        switch setting.name {
        case SharedSettings.ledger.name: LedgerPlace.builtIn(context)
        case SharedSettings.signer.name: SignerLookup.builtIn
        default: nil
        }
    }
}
