/// What can stand at each place of a command line: the ground of the three shells' scripts.
struct CompletionModel {
    /// A place: the program itself, a group or a command.
    struct Place {
        /// The commands that lead here, each after a blank: `" keys show"`.
        let path: String
        let commands: [(name: String, summary: String)]
        let options: [OptionFacts]
        /// How the operands complete, the first one that says something.
        let operand: Completion
    }

    let program: String
    let places: [Place]

    init(_ program: Program) {
        self.program = program.name
        var places: [Place] = []
        Self.collect(program, [], into: &places)
        self.places = places
    }

    private static func collect(
        _ program: Program, _ path: [Command], into places: inout [Place]
    ) {
        let commands = path.last?.subcommands ?? program.commands
        let operands = path.last?.operands.map(\.operandFacts.completion) ?? []
        places.append(
            Place(
                path: path.map { " " + $0.name }.joined(),
                commands: commands.map { ($0.name, $0.summary) },
                options: ArgumentParser.options(program, at: path),
                operand: operands.first { $0 != .none } ?? .none))
        for command in commands { collect(program, path + [command], into: &places) }
    }

    /// The program's name as part of a shell function's name.
    var identifier: String {
        String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// How an option's value completes; nil for a flag.
    static func spellings(_ facts: OptionFacts) -> [String] {
        ["--\(facts.name)"] + (facts.short.map { ["-\($0)"] } ?? [])
    }
}

/// Text as a shell's single-quoted word takes it.
enum ShellText {
    /// For bash and zsh.
    static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", by: "'\\''") + "'"
    }

    /// For fish, where the backslash escapes within single quotes.
    static func fish(_ text: String) -> String {
        "'" + text.replacing("\\", by: "\\\\").replacing("'", by: "\\'") + "'"
    }
}
