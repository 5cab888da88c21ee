import CommandLineKit

/// `keys`: the keys of a workspace.
enum KeysCommand {
    static let command = Command(
        group: "keys", summary: "the keys of a workspace",
        discussion: [
            "A keyring has the public halves, the states and where each private half is. A kid is"
                + " bound to one key for ever; only the current key of a use signs."
        ],
        [
            KeysListCommand.list, KeysListCommand.show, KeysAddCommand.generate,
            KeysAddCommand.importing, KeysPinsCommand.command, KeysCheckCommand.command,
        ])
}
