/// The usage lines of a command, after its name.
enum Synopsis {
    static func lines(_ command: Command) -> [String] {
        command.synopses.isEmpty ? [generated(command)] : command.synopses
    }

    private static func generated(_ command: Command) -> String {
        var words = command.operands.map { operand($0.operandFacts) }
        words += command.options.map(\.facts).filter(\.isRequired)
            .map { "--\($0.name) \($0.valueName ?? "")" }
        if command.options.contains(where: { !$0.facts.isRequired }) { words.append("[OPTION…]") }
        return words.joined(separator: " ")
    }

    private static func operand(_ facts: OperandFacts) -> String {
        let word =
            switch facts.arity {
            case .one: facts.name
            case .optional: "[\(facts.name)]"
            case .many(minimum: 0): "[\(facts.name)…]"
            case .many: "\(facts.name)…"
            }
        guard let option = facts.absentWith.first else { return word }
        return "\(word)|--\(option)"
    }
}
