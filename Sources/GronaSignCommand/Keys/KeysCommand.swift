import CommandLineKit

/// `keys`: the keys of a workspace.
enum KeysCommand {
    static let command = Command(
        group: "keys", summary: "the keys of a workspace",
        discussion: [
            "A keyring has the public halves, the states and where each private half is. A kid is"
                + " bound to one key for ever; only the current key of a use signs.",
            "A signer URI says where: file:NAME.pem beside the keyring, credential:NAME below"
                + " $CREDENTIALS_DIRECTORY, pkcs11:token=T;object=LABEL?module-path=M&pin-source=file:P"
                + " on a token, exec:/PROGRAM behind a program that asks a key service. A production"
                + " key belongs where it cannot be copied: on a token or in a service.",
        ],
        [
            KeysListCommand.list, KeysListCommand.show, KeysAddCommand.generate,
            KeysAddCommand.importing, KeysPinsCommand.command, KeysCheckCommand.command,
        ])
}
