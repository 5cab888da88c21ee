import CommandLineKit
import GronaCommand
import GronaFormats
import Ledger
import LinuxIO
import ProjectFiles
import Signing
import SigningKeys
import StrictJSON

/// `keys list` and `keys show`: public halves and states, no private half is touched.
enum KeysListCommand {
    private static let kid = Operand(ValueReader<KeyID>.kid(), help: "the key")

    static let list = Command(
        "list", .reads, summary: "list the keys of a workspace and their states",
        options: [SharedOptions.keys, SharedOptions.workspace, SharedOptions.state]
    ) { context throws(Failure) in
        let file = try KeyringInput.read(context)
        if context.wantsJSON {
            let live = try liveUntil(file, context)
            context.console.json(
                .array(file.keyring.keys.map { json($0, live[$0.kid], file.keyring) }))
            return .success
        }
        var table = Table(["use", "kid", "state", "since", "thumbprint", "signer"])
        for key in file.keyring.keys {
            table.add([
                .init(key.use.rawValue), .init(key.kid.text),
                .init(key.state.rawValue, look(key.state)),
                .init(key.history.last.map { TimeWording.text($0.at) } ?? ""),
                .init(key.thumbprint), .init(SignerURI.shown(key.signer)),
            ])
        }
        context.console.write(table.text(style: context.console.style))
        return .success
    }

    static let show = Command(
        "show", .reads, summary: "show one key with its history",
        operands: [kid],
        options: [SharedOptions.keys, SharedOptions.workspace]
    ) { context throws(Failure) in
        let file = try KeyringInput.read(context)
        let key = try KeyringInput.record(try context.call.require(kid), in: file)
        if context.wantsJSON {
            context.console.json(key.shownJSON)
            return .success
        }
        var table = Table(["", ""])
        table.add(["kid", key.kid.text])
        table.add(["use", key.use.rawValue])
        table.add(["state", key.state.rawValue])
        table.add(["signer", SignerURI.shown(key.signer)])
        table.add(["public", key.publicKey.base64])
        table.add(["thumbprint", key.thumbprint])
        for event in key.history {
            let details = event.details.map { name, value in
                "\(name) \(String(decoding: value.canonical(), as: UTF8.self))"
            }
            table.add([
                "\(event.state.rawValue) at",
                ([TimeWording.text(event.at)] + details).joined(separator: ", "),
            ])
        }
        context.console.write(table.text(style: context.console.style))
        return .success
    }

    /// The end of the last thing that each key signed here, from the audit log.
    private static func liveUntil(
        _ file: KeyringFile, _ context: CommandContext
    ) throws(Failure) -> [KeyID: UnixTime] {
        let state = try context.stateFolder()
        let log = StateFolder(state).keyring(file.keyring.id).auditLog
        let writer = SignerMemory.Writer(
            user: "", workspace: file.keyring.workspace, isRehearsal: context.isRehearsal)
        return try worded(SigningWording(log: log.description).failure) {
            () throws(SigningError) in
            try SignerMemory(.init(at: log), writer: writer).history.liveUntil
        }
    }

    /// What comes next for a key, as far as it goes without the installed base: to be announced.
    private static func json(
        _ key: KeyRecord, _ live: UnixTime?, _ keyring: Keyring
    ) -> JSONValue {
        .object([
            ("kid", .string(key.kid.text)), ("use", .string(key.use.rawValue)),
            ("state", .string(key.state.rawValue)), ("thumbprint", .string(key.thumbprint)),
            ("pinned_share", .null),
            ("live_until", live.map { .integer($0.seconds) } ?? .null), ("next", .null),
        ])
    }

    private static func look(_ state: KeyState) -> Table.Cell.Look {
        switch state {
        case .current: .good
        case .compromised: .bad
        case .retiring: .caution
        case .generated, .announced, .standby: .plain
        case .retired, .destroyed: .faint
        }
    }
}
