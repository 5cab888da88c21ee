/// The manual page of a program or a command, in mdoc(7).
struct ManualPage {
    let program: Program
    /// Empty for the page of the whole program.
    let path: [Command]

    private var names: [String] { [program.name] + path.map(\.name) }
    private var command: Command? { path.last }

    var text: String {
        var lines = [
            ".Dd \(program.manualDate)",
            ".Dt \(Mdoc.argument(names.joined(separator: "-").uppercased())) 1",
            ".Os",
            ".Sh NAME",
            ".Nm \(Mdoc.argument(names.joined(separator: "-")))",
            ".Nd \(Mdoc.text(command?.summary ?? program.summary))",
            ".Sh SYNOPSIS",
        ]
        lines += synopsis
        lines.append(".Sh DESCRIPTION")
        if let command, command.action != nil {
            lines += Mdoc.sentence("\(capitalized(command.summary)).")
        } else {
            lines += [".Nm \(Mdoc.argument(program.name))", "takes a command and its options."]
        }
        for paragraph in command?.discussion ?? program.discussion {
            lines.append(".Pp")
            lines += Mdoc.sentence(paragraph)
        }
        if let command, command.action != nil {
            lines += operandList(command)
            lines += optionSection("The options are:", command.options.map(\.facts))
        } else {
            lines += commandSections(command?.subcommands ?? program.commands, prefix: path)
        }
        lines += standardOptions
        lines += entries("ENVIRONMENT", "Ev", environment)
        lines += entries("FILES", "Pa", path.isEmpty ? program.files : [])
        lines += exitStatus
        lines += examples
        lines += seeAlso
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Sections

    private var synopsis: [String] {
        guard let command, command.action != nil else {
            return [".Nm \(Mdoc.argument(program.name))"]
                + path.map { ".Cm \(Mdoc.argument($0.name))" }
                + [".Ar command", ".Op Ar option ...", ".Op Ar operand ..."]
        }
        return Synopsis.lines(command).flatMap { line in
            [".Nm \(Mdoc.argument(program.name))"] + path.map { ".Cm \(Mdoc.argument($0.name))" }
                + (line.isEmpty ? [] : Mdoc.plain(line))
        }
    }

    private func commandSections(_ commands: [Command], prefix: [Command]) -> [String] {
        var lines: [String] = []
        for command in commands {
            let names = (prefix + [command]).map(\.name)
            guard command.action != nil else {
                lines.append(".Ss \(Mdoc.text(names.joined(separator: " ")))")
                lines += Mdoc.sentence("\(capitalized(command.summary)).")
                for paragraph in command.discussion { lines += [".Pp"] + Mdoc.sentence(paragraph) }
                lines += commandSections(command.subcommands, prefix: prefix + [command])
                continue
            }
            lines.append(".Ss \(Mdoc.text(names.joined(separator: " ")))")
            for line in Synopsis.lines(command) {
                lines += [".Bd -ragged -compact"]
                lines += names.map { ".Cm \(Mdoc.argument($0))" }
                lines += line.isEmpty ? [] : Mdoc.plain(line)
                lines += [".Ed"]
            }
            lines += [".Pp"] + Mdoc.sentence("\(capitalized(command.summary)).")
            for paragraph in command.discussion { lines += [".Pp"] + Mdoc.sentence(paragraph) }
            lines += operandList(command)
            lines += optionSection(nil, command.options.map(\.facts))
        }
        return lines
    }

    private func operandList(_ command: Command) -> [String] {
        guard !command.operands.isEmpty else { return [] }
        return [".Bl -tag -width Ds"]
            + command.operands.flatMap { declaration in
                [".It Ar \(Mdoc.argument(declaration.operandFacts.name))"]
                    + Mdoc.sentence(capitalized(declaration.operandFacts.help) + ".")
            } + [".El"]
    }

    private func optionSection(_ title: String?, _ options: [OptionFacts]) -> [String] {
        guard !options.isEmpty else { return [] }
        return (title.map { [".Pp", $0] } ?? []) + [".Bl -tag -width Ds"]
            + options.flatMap(option) + [".El"]
    }

    private func option(_ facts: OptionFacts) -> [String] {
        let value = facts.valueName.map { " Ar \(Mdoc.argument($0))" } ?? ""
        let short = facts.short.map { "Fl \($0) , " } ?? ""
        var lines = [".It \(short)Fl -\(facts.name)\(value)"]
        lines += Mdoc.sentence(capitalized(facts.help) + ".")
        if facts.isRequired { lines.append("Required.") }
        if facts.repeats, facts.takesValue { lines.append("May be given more than once.") }
        if !facts.environment.isEmpty {
            lines.append("Default from the environment:")
            lines += facts.environment.enumerated().map { index, name in
                ".Ev \(Mdoc.argument(name))\(index + 1 == facts.environment.count ? " ." : " ,")"
            }
        }
        if let builtIn = facts.builtIn {
            lines += Mdoc.sentence("Built-in default: \(builtIn).")
        }
        return lines
    }

    private var standardOptions: [String] {
        var options = StandardOptions.all
        if path.isEmpty { options.append(StandardOptions.version) }
        let title = "Options of every command"
        return [".Ss \(title)", ".Bl -tag -width Ds"] + options.map(\.facts).flatMap(option)
            + [".El"]
    }

    private var environment: [Program.Entry] {
        guard let command, command.action != nil else {
            return path.isEmpty ? program.environment : []
        }
        let names = Set(command.options.flatMap(\.facts.environment))
        return program.environment.filter { names.contains($0.name) }
    }

    private func entries(_ title: String, _ macro: String, _ entries: [Program.Entry]) -> [String] {
        guard !entries.isEmpty else { return [] }
        return [".Sh \(title)", ".Bl -tag -width Ds"]
            + entries.flatMap { entry in
                [".It \(macro) \(Mdoc.argument(entry.name))"] + Mdoc.sentence(entry.explanation)
            } + [".El"]
    }

    private var exitStatus: [String] {
        [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
            + ExitStatus.allCases.flatMap { status in
                [".It \(status.rawValue)"] + Mdoc.sentence(capitalized(status.meaning) + ".")
            } + [".It 128+n", "Ended by signal n.", ".El"]
    }

    private var examples: [String] {
        let all = command?.examples ?? program.examples
        guard !all.isEmpty else { return [] }
        var lines = [".Sh EXAMPLES"]
        for (index, example) in all.enumerated() {
            if index > 0 { lines.append(".Pp") }
            lines += Mdoc.sentence(capitalized(example.explanation) + ":")
            lines.append(".Bd -literal -offset indent")
            lines += Mdoc.literal(example.command)
            lines.append(".Ed")
        }
        return lines
    }

    private var seeAlso: [String] {
        let others = path.isEmpty ? program.seeAlso : ["\(program.name) 1"]
        guard !others.isEmpty else { return [] }
        // Not as cross references, which are checked against the pages of the machine at hand.
        return [".Sh SEE ALSO"]
            + others.enumerated().map { index, page in
                let words = page.split(separator: " ").map(String.init)
                let section = words.count > 1 ? " Ns (\(words[1]))" : ""
                let end = index + 1 == others.count ? "" : " ,"
                return ".Sy \(Mdoc.argument(words.first ?? page))\(section)\(end)"
            }
    }

    private func capitalized(_ text: String) -> String {
        DisplayText.capitalized(text)
    }
}
