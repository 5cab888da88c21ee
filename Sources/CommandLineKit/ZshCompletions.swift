/// The completions for zsh, on its `_arguments`.
struct ZshCompletions {
    let model: CompletionModel

    var script: String {
        """
        #compdef \(model.program)
        # Completions of \(model.program) for zsh.

        \(model.places.map(function).joined(separator: "\n\n"))

        if [[ $funcstack[1] == _\(model.program) ]]; then
            \(name("")) "$@"
        else
            compdef \(name("")) \(model.program)
        fi

        """
    }

    private func name(_ path: String) -> String {
        "_\(model.identifier)" + path.replacing(" ", by: "__").replacing("-", by: "_")
    }

    private func function(_ place: CompletionModel.Place) -> String {
        let specs = place.options.flatMap { option($0).map { "        \($0) \\" } }
            .joined(separator: "\n")
        guard !place.commands.isEmpty else {
            return """
                \(name(place.path))() {
                    _arguments -s -S \\
                \(specs)
                        \(ShellText.quoted("*:operand:\(action(place.operand))"))
                }
                """
        }
        let list = place.commands.map { command in
            "        " + ShellText.quoted("\(command.name):\(colons(command.summary))")
        }.joined(separator: "\n")
        let cases = place.commands.map { command in
            "        \(command.name)) \(name("\(place.path) \(command.name)")) ;;"
        }.joined(separator: "\n")
        return """
            \(name(place.path))() {
                local curcontext="$curcontext" state line
                local -a commands
                commands=(
            \(list)
                )
                _arguments -C -s -S \\
            \(specs)
                    '1: :->command' '*:: :->rest'
                case $state in
                command) _describe -t commands command commands ;;
                rest)
                    case $words[1] in
            \(cases)
                    esac
                    ;;
                esac
            }
            """
    }

    /// One specification a spelling; an option that does not repeat is offered once.
    private func option(_ facts: OptionFacts) -> [String] {
        let spellings = CompletionModel.spellings(facts)
        let help = facts.help.replacing("[", by: "(").replacing("]", by: ")")
        let exclusion =
            facts.repeats && facts.takesValue ? "*" : "(\(spellings.joined(separator: " ")))"
        return spellings.map { spelling in
            guard let value = facts.valueName else {
                return ShellText.quoted("\(exclusion)\(spelling)[\(colons(help))]")
            }
            let mark = spelling.hasPrefix("--") ? "=" : "+"
            return ShellText.quoted(
                "\(exclusion)\(spelling)\(mark)[\(colons(help))]:\(colons(value)):"
                    + action(facts.completion))
        }
    }

    private func action(_ completion: Completion) -> String {
        switch completion {
        case .none: " "
        case .file: "_files"
        case .folder: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .commands: "(\(model.places[0].commands.map(\.name).joined(separator: " ")))"
        }
    }

    private func colons(_ text: String) -> String {
        text.replacing("\\", by: "\\\\").replacing(":", by: "\\:")
    }
}
