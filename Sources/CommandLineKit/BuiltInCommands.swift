/// The commands that follow from the declaration alone.
enum BuiltInCommands {
    static let all = [help, completions, man]

    private static let topic = Operand(
        ValueReader<String>.parsing("COMMAND", expected: "a command", completion: .commands) { $0 },
        .many(minimum: 0), help: "the command, after its group")

    private static let shell = Operand(
        ValueReader<String>.choice("SHELL", ["bash", "zsh", "fish"]), help: "bash, zsh or fish")

    private static let helpTopic = Operand(
        ValueReader<String>.parsing(
            "COMMAND|CODE", expected: "a command or a code", completion: .commands
        ) { $0 },
        .many(minimum: 0), help: "the command, after its group; or the code of a message")

    static let help = Command(
        "help", summary: "show the help of the program, of a command or of a code",
        discussion: [
            "A code stands in brackets in a message, such as error[input.missing]. Help is text,"
                + " also with --json, as --version is."
        ], operands: [helpTopic]
    ) { call throws(Failure) in
        let words = call.all(helpTopic)
        if words.count == 1, let topics = call.program.topics,
            words[0].utf8.contains(UInt8(ascii: ".")) || topics.text(words[0]) != nil
        {
            call.console.write(try topics.page(words[0], columns: call.console.columns))
            return .success
        }
        let path = try path(words, call)
        call.console.write(
            HelpPage(program: call.program, path: path, columns: call.console.columns).text)
        return .success
    }

    static let completions = Command(
        "completions", summary: "print the completions for a shell",
        discussion: ["A script is text, also with --json."], operands: [shell]
    ) { call throws(Failure) in
        let model = CompletionModel(call.program)
        switch try call.require(shell) {
        case "bash": call.console.write(BashCompletions(model: model).script)
        case "zsh": call.console.write(ZshCompletions(model: model).script)
        default: call.console.write(FishCompletions(model: model).script)
        }
        return .success
    }

    static let man = Command(
        "man", summary: "print the manual page of the program or of a command",
        discussion: ["The page is in mdoc, also with --json; 'man -l FILE' shows it."],
        operands: [topic]
    ) { call throws(Failure) in
        call.console.write(
            ManualPage(program: call.program, path: try path(call.all(topic), call)).text)
        return .success
    }

    private static func path(
        _ words: [String], _ call: Invocation
    ) throws(Failure) -> [Command] {
        var path: [Command] = []
        for word in words {
            let commands = path.last?.subcommands ?? call.program.commands
            guard let next = commands.first(where: { $0.name.utf8.elementsEqual(word.utf8) }) else {
                let near = Suggestions.nearest(to: word, among: commands.map(\.name))
                throw Failure(
                    .usage(
                        "unknown-command", "there is no command '\(word)'",
                        help: near.isEmpty
                            ? nil
                            : "did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"))
            }
            path.append(next)
        }
        return path
    }
}
