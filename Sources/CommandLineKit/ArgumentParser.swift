/// What a command line asks for.
enum ParsedLine {
    case run(path: [Command], values: [String: [[UInt8]]], arguments: [String: [[UInt8]]])
    case help(path: [Command])
    case version
    /// No command at all, or a group without its command: short usage, status 64.
    case shortUsage(path: [Command])
}

/// Reads a command line by a program's declaration.
///
/// GNU syntax: `--name value`, `--name=value`, `-x value`, `-xvalue`, bundled flags `-qv`, `--`
/// before operands that begin with a dash; options and operands in any order, options also before
/// the command. Long names are not abbreviated: they are an interface. The first mistake is
/// reported, except that `-h` or `--help` anywhere before `--` asks for help.
struct ArgumentParser {
    let program: Program

    private var path: [Command] = []
    private var given: [(facts: OptionFacts, spelling: String, value: [UInt8])] = []
    private var operands: [[UInt8]] = []
    private var wantsHelp = false
    private var wantsVersion = false
    private var mistake: Failure?

    init(program: Program) {
        self.program = program
    }

    /// - Parameter arguments: without the program's own name.
    static func parse(
        _ arguments: [[UInt8]], program: Program
    ) throws(Failure) -> ParsedLine {
        var parser = ArgumentParser(program: program)
        return try parser.parse(arguments)
    }

    /// Whether the line asks for JSON; told before parsing, so that a mistake is told as JSON.
    static func asksForJSON(_ arguments: [[UInt8]]) -> Bool {
        arguments.prefix { !$0.elementsEqual("--".utf8) }
            .contains { $0.elementsEqual("--json".utf8) }
    }

    private mutating func parse(_ arguments: [[UInt8]]) throws(Failure) -> ParsedLine {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument.elementsEqual("--".utf8) {
                for operand in rest { take(operand: operand) }
                break
            }
            if argument.starts(with: "--".utf8) {
                take(long: argument.dropFirst(2), &rest)
            } else if argument.count > 1, argument.first == UInt8(ascii: "-") {
                take(bundle: argument.dropFirst(), &rest)
            } else {
                take(operand: argument)
            }
        }
        if wantsHelp { return .help(path: path) }
        if let mistake { throw mistake }
        if wantsVersion, path.isEmpty { return .version }
        guard let command = path.last, command.action != nil else {
            return .shortUsage(path: path)
        }
        if arguments.count == path.count, needsOperand(command) {
            return .shortUsage(path: path)
        }
        let values = try checkedValues(command)
        return .run(
            path: path, values: values, arguments: try assignedOperands(command, values))
    }

    private func needsOperand(_ command: Command) -> Bool {
        command.operands.contains { declaration in
            switch declaration.operandFacts.arity {
            case .one: true
            case .optional: false
            case .many(let minimum): minimum > 0
            }
        }
    }

    private mutating func remember(_ failure: Failure) {
        if mistake == nil { mistake = failure }
    }

    // MARK: Commands and operands

    private mutating func take(operand: [UInt8]) {
        let commands = path.last?.subcommands ?? program.commands
        guard path.last?.action == nil else { return operands.append(operand) }
        guard mistake == nil else { return }
        if let text = String(validating: operand, as: UTF8.self) {
            if let command = commands.first(where: { $0.name.utf8.elementsEqual(text.utf8) }) {
                return path.append(command)
            }
            let others = Suggestions.nearest(to: text, among: commands.map(\.name))
            remember(
                usage(
                    "unknown-command", "there is no command '\(shown(operand))'",
                    suggesting: others))
        } else {
            remember(usage("encoding", "the command '\(shown(operand))' is not UTF-8"))
        }
    }

    private func assignedOperands(
        _ command: Command, _ values: [String: [[UInt8]]]
    ) throws(Failure) -> [String: [[UInt8]]] {
        var result: [String: [[UInt8]]] = [:]
        var rest = operands[...]
        for declaration in command.operands {
            let facts = declaration.operandFacts
            if let option = facts.absentWith.first(where: { values[$0] != nil }) {
                if !rest.isEmpty {
                    throw usage(
                        "unexpected-operand",
                        "\(facts.name) is not taken with --\(option): '\(shown(rest[rest.startIndex]))'"
                    )
                }
                continue
            }
            let (least, most) =
                switch facts.arity {
                case .one: (1, 1)
                case .optional: (0, 1)
                case .many(let minimum): (minimum, Int.max)
                }
            let taken = rest.prefix(most)
            rest = rest.dropFirst(most)
            if taken.count < least {
                throw usage("missing-operand", "\(facts.name) is missing")
            }
            for bytes in taken {
                do {
                    try facts.check(bytes)
                } catch {
                    throw usage(
                        "value", "\(facts.name) '\(shown(bytes))': expected \(error.expected)")
                }
            }
            result[facts.name] = Array(taken)
        }
        if let extra = rest.first {
            throw usage("unexpected-operand", "one argument too many: '\(shown(extra))'")
        }
        return result
    }

    // MARK: Options

    private mutating func take(long text: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>) {
        let parts = text.split(
            separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first ?? []
        let attached = parts.count > 1 ? Array(parts[1]) : nil
        let spelling = "--" + shown(Array(name))
        guard let facts = candidates().first(where: { $0.name.utf8.elementsEqual(name) }) else {
            return remember(unknown(spelling, name: String(decoding: name, as: UTF8.self)))
        }
        if facts.takesValue {
            guard let value = attached ?? nextValue(&rest) else {
                return remember(missingValue(spelling, facts))
            }
            given.append((facts, spelling, value))
        } else if attached != nil {
            remember(usage("unexpected-value", "\(spelling) takes no value"))
        } else {
            take(flag: facts, spelling)
        }
    }

    private mutating func take(
        bundle text: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>
    ) {
        var letters = text
        while let letter = letters.popFirst() {
            let spelling = "-" + shown([letter])
            let facts = candidates().first { $0.short?.asciiValue == letter }
            guard let facts else {
                // The rest cannot be told apart: it may be a value.
                return remember(unknown(spelling, name: nil))
            }
            guard facts.takesValue else {
                take(flag: facts, spelling)
                continue
            }
            guard let value = letters.isEmpty ? nextValue(&rest) : Array(letters) else {
                return remember(missingValue(spelling, facts))
            }
            return given.append((facts, spelling, value))
        }
    }

    private mutating func take(flag facts: OptionFacts, _ spelling: String) {
        if facts.name == StandardOptions.help.facts.name {
            wantsHelp = true
        } else if path.isEmpty, facts.name == StandardOptions.version.facts.name {
            wantsVersion = true
        } else {
            given.append((facts, spelling, []))
        }
    }

    /// The next argument as a value, unless it is an option of this command: `-o --force` is a
    /// forgotten file name more often than a file of that name (`-o./--force` takes one).
    private func nextValue(_ rest: inout ArraySlice<[UInt8]>) -> [UInt8]? {
        guard let next = rest.first else { return nil }
        if next.starts(with: "--".utf8) {
            let name = next.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }
            if name.isEmpty || candidates().contains(where: { $0.name.utf8.elementsEqual(name) }) {
                return nil
            }
        }
        return rest.popFirst()
    }

    private func candidates() -> [OptionFacts] {
        Self.options(program, at: path)
    }

    /// The options that may stand at a place: those of the command, or before it those of the
    /// commands below, where they agree on taking a value.
    static func options(_ program: Program, at path: [Command]) -> [OptionFacts] {
        let standard = StandardOptions.all.map(\.facts)
        if let command = path.last, command.action != nil {
            return standard + command.options.map(\.facts)
        }
        var result = standard
        if path.isEmpty { result.append(StandardOptions.version.facts) }
        let below = leaves(path.last?.subcommands ?? program.commands)
            .flatMap { $0.options.map(\.facts) }
        for facts in below where !result.contains(where: { $0.name == facts.name }) {
            let twins = below.filter { $0.name == facts.name }
            if twins.allSatisfy({ $0.takesValue == facts.takesValue }) { result.append(facts) }
        }
        return result
    }

    private static func leaves(_ commands: [Command]) -> [Command] {
        commands.flatMap { $0.action == nil ? leaves($0.subcommands) : [$0] }
    }

    private func checkedValues(_ command: Command) throws(Failure) -> [String: [[UInt8]]] {
        let taken = (StandardOptions.all + command.options).map(\.facts)
        var values: [String: [[UInt8]]] = [:]
        for (early, spelling, value) in given {
            guard let facts = taken.first(where: { $0.name == early.name }) else {
                throw usage("misplaced-option", "\(names(path)) does not take \(spelling)")
            }
            if values[facts.name] != nil, !facts.repeats {
                throw usage("repeated-option", "\(spelling) is given twice")
            }
            do {
                try facts.check(value)
            } catch {
                throw usage(
                    String(validating: value, as: UTF8.self) == nil ? "encoding" : "value",
                    "\(spelling) '\(shown(value))': expected \(error.expected)")
            }
            values[facts.name, default: []].append(value)
        }
        for group in command.exclusive {
            let both = group.filter { values[$0] != nil }
            if both.count > 1 {
                throw usage(
                    "exclusive-options",
                    both.map { "--\($0)" }.joined(separator: " and ") + " exclude each other")
            }
        }
        for facts in taken where facts.isRequired && values[facts.name] == nil {
            throw usage("missing-option", "--\(facts.name) is missing")
        }
        return values
    }

    // MARK: Words

    private func unknown(_ spelling: String, name: String?) -> Failure {
        let here = candidates()
        let near = name.map { Suggestions.nearest(to: $0, among: here.map(\.name)) } ?? []
        if near.isEmpty, let name, path.last?.action != nil {
            let owners = Self.leaves(program.commands).filter { command in
                command.options.contains { $0.facts.name.utf8.elementsEqual(name.utf8) }
            }
            if let owner = owners.first {
                // The same thing may have another name here.
                let theirs = owner.options.first { $0.facts.name.utf8.elementsEqual(name.utf8) }
                let same = here.first {
                    !$0.environment.isEmpty && $0.environment == theirs?.facts.environment
                }
                if let same {
                    return usage(
                        "unknown-option", "\(names(path)) has no option \(spelling)",
                        suggesting: ["--\(same.name)"])
                }
                return usage(
                    "unknown-option",
                    "\(names(path)) has no option \(spelling); '\(owner.name)' has it")
            }
        }
        let subject = path.isEmpty ? "there is" : "\(names(path)) has"
        return usage(
            "unknown-option", "\(subject) no option \(spelling)",
            suggesting: near.map { "--\($0)" })
    }

    private func missingValue(_ spelling: String, _ facts: OptionFacts) -> Failure {
        usage("missing-value", "\(spelling) needs a value: \(facts.valueName ?? "")")
    }

    private func names(_ path: [Command]) -> String {
        "'" + path.map(\.name).joined(separator: " ") + "'"
    }

    private func usage(
        _ code: String, _ message: String, suggesting names: [String] = []
    ) -> Failure {
        let line = ([program.name, "help"] + path.map(\.name)).joined(separator: " ")
        let help =
            names.isEmpty
            ? "'\(line)' lists what there is"
            : "did you mean \(names.map { "'\($0)'" }.joined(separator: " or "))?"
        return Failure(.usage(code, message, help: help))
    }

    /// Bytes as text, without what may be a password in an address; what is not UTF-8 is shown as
    /// `\x` and two digits.
    private func shown(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return AddressText.redacted(text) }
        return bytes.map { byte in
            (0x20...0x7E).contains(byte)
                ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16)
        }.joined()
    }
}
