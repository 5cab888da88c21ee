package import CommandLineKit
import StrictJSON

/// The command `settings`: each value that holds, and who gave it.
package enum SettingsCommand {
    /// - Parameters:
    ///   - settings: those that the program's commands read.
    ///   - builtIn: what holds where nobody gives a value and the setting itself has none.
    package static func command(
        _ settings: [Setting],
        builtIn: @escaping @Sendable (CommandContext, Setting) -> SettingValue? = { _, _ in nil }
    ) -> Command {
        Command(
            "settings", .reads, summary: "show each setting's value and where it comes from",
            discussion: [
                "A value is taken from the command line, then from the environment, then from"
                    + " \(SharedSettings.fileName) in this folder or one above it, then built in.",
                "The search for \(SharedSettings.fileName) stops at a folder with .git and at the home"
                    + " folder.",
            ],
            options: options(settings)
        ) { context throws(Failure) in
            let resolved = try context.settings()
            var table = Table(["setting", "value", "from"])
            var members: [(String, JSONValue)] = []
            for setting in settings {
                let value = try resolved.value(setting) ?? builtIn(context, setting)
                table.add([
                    .init(setting.name), .init(value?.shown ?? "-"),
                    .init(value?.origin.text ?? "", .faint),
                ])
                members.append((setting.name, json(value)))
            }
            if context.wantsJSON {
                context.console.json(.object(members))
            } else {
                context.console.write(table.text(style: context.console.style))
            }
            return .success
        }
    }

    private static func json(_ value: SettingValue?) -> JSONValue {
        guard let value else { return .object([("value", .null), ("origin", .null)]) }
        var members: [(String, JSONValue)] = [
            ("value", .string(value.shown)), ("origin", .string(value.origin.word)),
        ]
        switch value.origin {
        case .option, .builtIn(nil): break
        case .environment(let name): members.append(("variable", .string(name)))
        case .builtIn(let source?): members.append(("source", .string(source)))
        case .file(let path, let line, let column):
            members += [
                ("file", .string(path)), ("line", .integer(Int64(line))),
                ("column", .integer(Int64(column))),
            ]
        }
        return .object(members)
    }

    private static func options(_ settings: [Setting]) -> [any OptionDeclaration] {
        let all: [any OptionDeclaration] =
            [
                SharedOptions.keys, SharedOptions.pins, SharedOptions.campaigns,
                SharedOptions.workspace, SharedOptions.to, SharedOptions.from, SharedOptions.state,
                SharedOptions.ledger, SharedOptions.signer, SharedOptions.signerTimeout,
                SharedOptions.strict,
            ] + StoreOptions.writing
        let names = Set(settings.map(\.name))
        return all.filter { names.contains($0.facts.name) }
    }
}
