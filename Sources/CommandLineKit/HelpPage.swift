/// The help of a program, a group or a command, as text.
struct HelpPage {
    let program: Program
    let path: [Command]
    let columns: Int

    init(program: Program, path: [Command], columns: Int = 80) {
        self.program = program
        self.path = path
        self.columns = min(max(columns, 40), 100)
    }

    private var commandLine: String {
        ([program.name] + path.map(\.name)).joined(separator: " ")
    }

    private var subcommands: [Command] { path.last?.subcommands ?? program.commands }

    /// The usage lines, with the commands' names and the way to more help.
    var shortUsage: String {
        var text = usageLines.map { "usage: \($0)\n" }.joined()
        if !subcommands.isEmpty {
            text += "commands: "
            text += DisplayText.wrapped(
                subcommands.map(\.name).joined(separator: ", "), columns: columns - 10
            ).joined(separator: "\n          ")
            text += "\n"
        }
        let topic = (["help"] + path.map(\.name)).joined(separator: " ")
        return text + "'\(program.name) \(topic)' tells more.\n"
    }

    var text: String {
        var text = lines("\(commandLine) - \(path.last?.summary ?? program.summary)", indent: 0)
        text += "\n"
        for (index, line) in usageLines.enumerated() {
            let wrapped = Synopsis.wrapped(
                line, first: columns - 7, rest: columns - 9 - commandLine.utf8.count)
            let hanging = "\n" + String(repeating: " ", count: 8 + commandLine.utf8.count)
            text += (index == 0 ? "Usage: " : "       ") + wrapped.joined(separator: hanging) + "\n"
        }
        for paragraph in path.last?.discussion ?? program.discussion {
            text += "\n" + lines(paragraph, indent: 0)
        }
        if !subcommands.isEmpty {
            text += section("Commands", subcommands.map { ($0.name, $0.summary) })
        }
        if let command = path.last {
            text += section(
                "Operands", command.operands.map { ($0.operandFacts.name, $0.operandFacts.help) })
            text += section("Options", command.options.map { Self.row($0.facts) })
        }
        var standard = StandardOptions.all
        if path.isEmpty { standard.append(StandardOptions.version) }
        text += section("Options of every command", standard.map { Self.row($0.facts) })
        text += examples(path.last?.examples ?? program.examples)
        if !subcommands.isEmpty {
            let topic = (["help"] + path.map(\.name)).joined(separator: " ")
            text += "\n'\(program.name) \(topic) COMMAND' tells more about a command.\n"
        }
        return text
    }

    private var usageLines: [String] {
        guard let command = path.last, command.action != nil else {
            return ["\(commandLine) COMMAND [OPTION…] [OPERAND…]"]
        }
        return Synopsis.lines(command).map { $0.isEmpty ? commandLine : "\(commandLine) \($0)" }
    }

    static func row(_ facts: OptionFacts) -> (String, String) {
        var name = facts.short.map { "-\($0), " } ?? "    "
        name += "--\(facts.name)"
        if let value = facts.valueName { name += " \(value)" }
        var help = facts.help
        var notes: [String] = []
        if facts.isRequired { notes.append("required") }
        if facts.repeats, facts.takesValue { notes.append("may be repeated") }
        if !facts.environment.isEmpty {
            notes.append("environment: " + facts.environment.joined(separator: ", "))
        }
        if let builtIn = facts.builtIn { notes.append("default: \(builtIn)") }
        if !notes.isEmpty { help += " (\(notes.joined(separator: "; ")))" }
        return (name, help)
    }

    private func section(_ title: String, _ rows: [(String, String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let widest = rows.map { DisplayText.width($0.0) }.filter { $0 <= 26 }.max() ?? 0
        var text = "\n\(title):\n"
        for (name, help) in rows {
            let wrapped = DisplayText.wrapped(help, columns: columns - widest - 4)
            if DisplayText.width(name) > widest {
                text += "  \(name)\n"
                text += wrapped.map {
                    String(repeating: " ", count: widest + 4) + $0 + "\n"
                }.joined()
            } else {
                text += "  " + DisplayText.padded(name, to: widest) + "  "
                text +=
                    wrapped.joined(
                        separator: "\n" + String(repeating: " ", count: widest + 4)) + "\n"
            }
        }
        return text
    }

    private func examples(_ examples: [Command.Example]) -> String {
        guard !examples.isEmpty else { return "" }
        return "\nExamples:\n"
            + examples.map {
                lines(
                    DisplayText.capitalized($0.explanation) + ":",
                    indent: 2) + "    \($0.command)\n"
            }
            .joined()
    }

    private func lines(_ text: String, indent: Int) -> String {
        DisplayText.wrapped(text, columns: columns - indent)
            .map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
    }
}
