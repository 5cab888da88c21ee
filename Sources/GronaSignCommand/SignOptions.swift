import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO

/// Options that several commands of the signer take.
enum SignOptions {
    static let passphraseFile = Option(
        "passphrase-file", ValueReader<FilePath>.file(), environment: ["GRONA_PASSPHRASE_FILE"],
        help: "a file with the passphrase of an encrypted key")
    static let retryPIN = Flag(
        "retry-pin", help: "try a PIN again that a token refused, or with one try left")
    static let version = Option(
        "version", ValueReader<ConfigVersion>.version(), help: "the version to sign")
    static let lifetime = Option(
        "lifetime", ValueReader<DurationSeconds>.duration(), builtIn: "what the policy says",
        help: "how long it is valid, never longer than the policy says")
    static let enable = Option(
        "enable", ValueReader<Identifier>.identifier(), repeats: true,
        help: "a campaign that was off and is meant to be on")
    static let disable = Option(
        "disable", ValueReader<Identifier>.identifier(), repeats: true,
        help: "a campaign to switch off")
    static let campaign = Option(
        "campaign", ValueReader<String>.text("ID"), isRequired: true, help: "the campaign")
    static let variant = Option(
        "variant", ValueReader<String>.text("ID"), isRequired: true, help: "the variant")
    static let ttl = Option(
        "ttl", ValueReader<DurationSeconds>.duration(), builtIn: "what the policy says",
        help: "how long it is valid, never longer than the policy says")
    static let reason = Option(
        "reason", ValueReader<String>.text("TEXT"), isRequired: true,
        help: "why, for those who read the log later")
    static let batch = Flag(
        "batch", help: "read one JSON request a line, answer each with one JSON line, in order")

    /// What every command takes that opens keys.
    static let keyAccess: [any OptionDeclaration] = [
        passphraseFile, SharedOptions.signerTimeout, retryPIN,
    ]
    /// What every command that signs takes.
    static let signing: [any OptionDeclaration] =
        [
            SharedOptions.keys, SharedOptions.campaigns, SharedOptions.state,
            SharedOptions.workspace,
            SharedOptions.strict,
        ] + keyAccess
    /// What a command takes that writes a document.
    static let output: [any OptionDeclaration] = [SharedOptions.output, SharedOptions.force]
}
