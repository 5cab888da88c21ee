package import CommandLineKit
import GronaCommand

/// `grona-sign`: reaches keys and never the network.
package enum GronaSignProgram {
    /// One entry a command, in the order of the help.
    package static let commands: [Command] = [
        CheckCommand.command,
        VerifyCommand.command,
        InspectCommand.command,
        SettingsCommand.command(SharedSettings.all),
    ]

    package static let program = Program(
        name: "grona-sign", version: GronaProgram.version, manualDate: GronaProgram.manualDate,
        summary: "check campaigns and sign configs, bundles, grants and preview pins",
        discussion: [
            "Keys are reached by this program alone, and it never reaches the network;"
                + " grona-publish reaches the network and never a private key."
        ],
        commands: commands, environment: GronaProgram.environment, files: GronaProgram.files,
        seeAlso: ["grona-publish 1"])
}
