package import CommandLineKit
package import GronaFormats
package import LinuxIO

/// The options that several commands of both programs take.
package enum SharedOptions {
    package static let keys = Option(
        "keys", ValueReader<FilePath>.folder(), environment: ["GRONA_KEYS"], builtIn: "./keys",
        help: "the folder of the keyrings, one folder a workspace")
    package static let pins = Option(
        "pins", ValueReader<FilePath>.file(), environment: ["GRONA_PINS"],
        help: "a pins file, where only trust is needed, instead of the keyrings")
    package static let campaigns = Option(
        "campaigns", ValueReader<FilePath>.folder(), environment: ["GRONA_CAMPAIGNS"],
        builtIn: "./campaigns", help: "the folder of the campaign folders, one a workspace")
    package static let workspace = Option(
        "workspace", ValueReader<WorkspaceName>.workspace(), environment: ["GRONA_WORKSPACE"],
        help: "the workspace")
    package static let to = Option(
        "to", ValueReader<String>.text("STORE"), environment: ["GRONA_STORE"],
        builtIn: "file:./public, if that folder exists", help: "the store to publish to")
    package static let from = Option(
        "from", ValueReader<String>.text("STORE"), environment: ["GRONA_STORE"],
        builtIn: "file:./public, if that folder exists", help: "the store to read from")
    package static let state = Option(
        "state", ValueReader<FilePath>.folder(), environment: ["GRONA_STATE"],
        builtIn: "$STATE_DIRECTORY, $XDG_STATE_HOME/grona or ~/.local/state/grona",
        help: "the folder of this host's own memory: audit log, ledger, floors")
    package static let ledger = Option(
        "ledger", ValueReader<String>.text("FILE|STORE"), environment: ["GRONA_LEDGER"],
        builtIn: "a file below the state folder", help: "the ledger that all publishers share")
    package static let signer = Option(
        "signer", ValueReader<String>.text("CMD|unix:DIR"), environment: ["GRONA_SIGNER"],
        builtIn: "the grona-sign beside this program",
        help: "how to call the signer: a command with its options, or the folder of its sockets")
    package static let signerTimeout = Option(
        "signer-timeout", ValueReader<DurationSeconds>.wait(),
        environment: ["GRONA_SIGNER_TIMEOUT"], builtIn: "30s",
        help: "how long to wait for an answer: of the signer, or of what holds a key")
    package static let strict = Flag("strict", help: "warnings are errors")
    package static let force = Flag("force", help: "replace a regular file that is there already")
    package static let yes = Flag("yes", help: "do not ask for confirmation")
    package static let dryRun = Flag(
        "dry-run", short: "n", help: "show what would change and change nothing")
    package static let now = Option(
        "now", ValueReader<UnixTime>.time(),
        help: "take this as the present time; signs and publishes only in a rehearsal")
    package static let output = Option(
        "output", short: "o", ValueReader<FilePath>.file(), builtIn: "standard output",
        help: "write to this file, by rename")
}
