import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO

/// What `verify` takes besides the shared options.
enum VerifyOptions {
    static let file = Operand(
        .file("FILE|-"), .optional, absentWith: ["grant", "preview"],
        help: "the signed config, - for standard input")

    static let sdkVersion = Option(
        "sdk-version", ValueReader<SDKVersion>.sdkVersion(),
        help: "the SDK's version; without it the check min-sdk is skipped")
    static let highestVersion = Option(
        "highest-version", ValueReader<ConfigVersion>.version(),
        help: "the highest version the install has accepted; without it version is skipped")
    static let demo = Flag("demo", help: "the app's demo option is on")
    static let channel = Option(
        "channel", ValueReader<String>.choice("CHANNEL", ["remote", "bundle"]),
        builtIn: "remote", help: "how the config reaches the install: remote or bundle")

    static let grant = Option(
        "grant", ValueReader<String>.text("TOKEN|-"),
        help: "check this grant, - for standard input")
    static let preview = Option(
        "preview", ValueReader<String>.text("TOKEN|-"),
        help: "check this preview pin, - for standard input")

    static let sub = Option(
        "sub", ValueReader<String>.text("S|-"),
        help: "the customer of the order, - for standard input")
    static let campaign = Option(
        "campaign", ValueReader<Identifier>.identifier(), help: "the campaign it must be for")
    static let variant = Option(
        "variant", ValueReader<Identifier>.identifier(), help: "the variant it must be for")
    static let type = Option(
        "type", ValueReader<Identifier>.identifier("T"), help: "the treatment type it must have")
    static let value = Option(
        "value", ValueReader<Int64>.decimal(in: 0...ConfigVersion.last.number),
        help: "the treatment value it must have, in thousandths")
    static let usedNonces = Option(
        "used-jti", ValueReader<FilePath>.file(),
        help: "the file of used nonces: refuse those in it, and add this one")

    /// Options that belong to one kind of document are not taken with another.
    static func check(_ call: Invocation) throws(Failure) {
        let ofConfig = [
            sdkVersion.facts, highestVersion.facts, demo.facts, channel.facts,
        ]
        let ofGrant = [
            sub.facts, campaign.facts, variant.facts, type.facts, value.facts, usedNonces.facts,
        ]
        if call[grant] == nil {
            try refuse(ofGrant, "is only for --grant", call)
        }
        if call[grant] != nil || call[preview] != nil {
            try refuse(ofConfig, "is only for a config", call)
        }
        let isStandardInputTwice = call[grant] == "-" && call[sub] == "-"
        if isStandardInputTwice {
            throw call.usage("standard-input", "--grant - and --sub - cannot both read it")
        }
    }

    private static func refuse(
        _ options: [OptionFacts], _ reason: String, _ call: Invocation
    ) throws(Failure) {
        for option in options where call.rawValue(ofOption: option.name) != nil {
            throw call.usage("option", "--\(option.name) \(reason)")
        }
    }
}
