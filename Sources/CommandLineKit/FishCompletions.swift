/// The completions for fish 3.
struct FishCompletions {
    let model: CompletionModel

    var script: String {
        let name = "__\(model.identifier)"
        var lines = [
            "# Completions of \(model.program) for fish.",
            "function \(name)_takes_value",
            "    switch \"$argv[1]\"",
        ]
        for place in model.places {
            let valued = place.options.filter(\.takesValue).flatMap(CompletionModel.spellings)
            lines += [
                "        case \(ShellText.fish(place.path))",
                "            contains -- $argv[2] \(valued.joined(separator: " "))",
            ]
        }
        let paths = model.places.map { ShellText.fish($0.path) }.joined(separator: " ")
        lines += [
            "    end", "end", "",
            "function \(name)_is",
            "    set -l path ''",
            "    set -l skip 0",
            "    set -l words (commandline -opc)",
            "    for word in $words[2..-1]",
            "        if test $skip = 1",
            "            set skip 0",
            "            continue",
            "        end",
            "        switch \"$word\"",
            "            case '--*=*'",
            "            case '-*'",
            "                \(name)_takes_value \"$path\" $word; and set skip 1",
            "            case '*'",
            "                contains -- \"$path $word\" \(paths)",
            "                and set path \"$path $word\"",
            "        end",
            "    end",
            "    test \"$path\" = \"$argv[1]\"",
            "end", "",
            "complete -c \(model.program) -f",
        ]
        for place in model.places {
            let start =
                "complete -c \(model.program) -n "
                + ShellText.fish("\(name)_is \(ShellText.fish(place.path))")
            lines += place.commands.map { command in
                "\(start) -a \(command.name) -d \(ShellText.fish(command.summary))"
            }
            lines += place.options.map { start + option($0) }
            lines += operand(place.operand).map { [start + $0] } ?? []
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func option(_ facts: OptionFacts) -> String {
        var text = facts.short.map { " -s \($0)" } ?? ""
        text += " -l \(facts.name)"
        if facts.takesValue { text += " -r" }
        text += operand(facts.completion) ?? ""
        return text + " -d \(ShellText.fish(facts.help))"
    }

    private func operand(_ completion: Completion) -> String? {
        switch completion {
        case .none: nil
        case .file: " -F"
        case .folder: " -a '(__fish_complete_directories (commandline -ct))'"
        case .words(let words): " -a \(ShellText.fish(words.joined(separator: " ")))"
        case .commands:
            " -a "
                + ShellText.fish(model.places[0].commands.map(\.name).joined(separator: " "))
        }
    }
}
