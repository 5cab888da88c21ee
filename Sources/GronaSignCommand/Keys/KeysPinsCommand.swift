import CommandLineKit
import ES256
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Signing
import SigningKeys
import StrictJSON

/// `keys pins`: what an app or an order backend carries.
enum KeysPinsCommand {
    private static let use = Option(
        "use", ValueReader<String>.choice("config|grant", KeyUse.allCases.map(\.rawValue)),
        builtIn: "both", help: "the keys of one use alone; needed for jwks and pem")
    private static let format = Option(
        "format", ValueReader<String>.choice("FORMAT", PinFormat.allCases.map(\.rawValue)),
        builtIn: "json", help: "json, jwks, pem, swift or kotlin")
    private static let offline = Flag(
        "offline", help: "do not let the keys sign a probe")

    static let command = Command(
        "pins", .acts, summary: "print the keys that an app pins: the current and the next one",
        discussion: [
            "Each key signs a probe first, so that no app is built with a half that does not answer."
        ],
        options: [
            use, format, offline, SharedOptions.keys, SharedOptions.campaigns,
            SharedOptions.workspace, SharedOptions.state, SharedOptions.strict,
        ] + SignOptions.keyAccess + SignOptions.output, run: run)

    @Sendable private static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let call = context.call
        let format = call[format].flatMap { PinFormat(rawValue: $0) } ?? .json
        let use = call[use].flatMap { KeyUse(rawValue: $0) }
        guard !format.needsUse || use != nil else {
            throw call.usage(
                "missing-option",
                "--use is missing: without it a backend could take a preview pin for a grant")
        }
        guard !context.wantsJSON || format.isJSON else {
            throw call.usage(
                "exclusive-options",
                "--format \(format.rawValue) is no JSON, and --json asks for it")
        }
        let setup = try SignerSetup(context)
        let desk = try setup.desk(try context.requireWorkspace())
        _ = try worded(setup.wording(desk.keyring.keyring.id).failure) {
            () throws(SigningError) in
            try desk.keyringRecord()
        }
        let uses = use.map { [$0] } ?? KeyUse.allCases
        let records = uses.map { use in
            [desk.keyring.keyring.current(use), desk.keyring.keyring.next(use)].compactMap { $0 }
        }
        let output = try context.documentOutput()
        if call[offline] {
            context.console.note("the keys were not asked to sign a probe")
        } else {
            for record in records.joined() {
                let key = try setup.open(record, of: desk.keyring)
                try worded(KeyWording.words(record.kid)) {
                    () throws(SigningKeyError) in
                    try key.probe(SystemRandom.bytes(32))
                }
            }
        }
        for (use, list) in zip(uses, records) {
            if list.isEmpty {
                context.console.note("\(desk.workspace) has no \(use.rawValue) key")
            } else if desk.keyring.keyring.next(use) == nil {
                context.console.note(
                    "\(desk.workspace) has no next \(use.rawValue) key: what pins this one alone"
                        + " takes no other, ever; 'grona-sign keys generate' makes the next")
            }
        }
        let pins = PinSheet(keyring: desk.keyring, uses: uses)
        try output.commit(Array(pins.text(format).utf8))
        return .success
    }
}
