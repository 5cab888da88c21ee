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

    /// A usage line in several lines; what stands in brackets stays together.
    static func wrapped(_ line: String, first: Int, rest: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        for word in words(line) {
            let limit = lines.isEmpty ? first : max(rest, 20)
            let longer = current.isEmpty ? word : "\(current) \(word)"
            if !current.isEmpty, DisplayText.width(longer) > limit {
                lines.append(current)
                current = word
            } else {
                current = longer
            }
        }
        return lines + [current]
    }

    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var depth = 0
        for part in line.split(separator: " ") {
            if depth > 0, let last = words.popLast() {
                words.append("\(last) \(part)")
            } else {
                words.append(String(part))
            }
            for byte in part.utf8 {
                if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: "]") || byte == UInt8(ascii: ")") { depth -= 1 }
            }
        }
        return words
    }
}
