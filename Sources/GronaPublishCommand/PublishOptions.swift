import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO

/// The options and operands that only this program has.
enum PublishOptions {
    static let envelope = Operand(
        ValueReader<FilePath>.file("ENVELOPE"), help: "a signed config; - for standard input")
    static let workspace = Operand(
        ValueReader<WorkspaceName>.workspace("WORKSPACE"), help: "the workspace")
    static let optionalWorkspace = Operand(
        ValueReader<WorkspaceName>.workspace("WORKSPACE"), .optional,
        help: "the workspace, if the setting does not name it")
    static let workspaces = Operand(
        ValueReader<WorkspaceName>.workspace("WORKSPACE"), .many(minimum: 0),
        help: "the workspaces; all that the store has, if none is named")

    static let expectVersion = Option(
        "expect-version",
        ValueReader<Int64>.decimal("N", in: 0...ConfigVersion.last.number),
        help: "the version that is served now, 0 for none: anything else ends with 75")
    static let allowAged = Flag(
        "allow-aged", help: "publish a config with less than 90 % of its lifetime left")
    static let allowJump = Option(
        "allow-jump", ValueReader<ConfigVersion>.version(),
        help: "repeat a version that is more than 1,000 above the highest known: no install can"
            + " ever go back")
    static let raiseMinSDK = Flag(
        "raise-min-sdk", help: "let the top-level min_sdk rise, which strands older installs")
    static let enable = Option(
        "enable", ValueReader<Identifier>.identifier(), repeats: true,
        help: "a campaign that may go from off to on")

    static let release = Option(
        "release", ValueReader<FilePath>.file(), help: "release this finished bundle")
    static let lifetime = Option(
        "lifetime", ValueReader<DurationSeconds>.duration(), builtIn: "that of the policy",
        help: "how long the bundle lives, at most as long as the policy and its source say")
    static let keepOffers = Flag(
        "keep-offers", help: "leave offers in the bundle, which then lives shorter")
}
