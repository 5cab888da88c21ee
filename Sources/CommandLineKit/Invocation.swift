/// A command line that was understood: the command with the values of its options and operands.
package struct Invocation: Sendable {
    package let program: Program
    /// The commands from the outermost to the one that runs.
    package let path: [Command]
    package let console: Console
    package let environment: EnvironmentValues
    /// Values by long name, in the order in which they were given; empty bytes for a flag.
    let values: [String: [[UInt8]]]
    /// Arguments by operand name.
    let arguments: [String: [[UInt8]]]

    /// Whether the flag was given.
    package subscript(_ flag: Flag) -> Bool {
        values[flag.facts.name] != nil
    }

    /// The option's value, or nil where it was not given.
    package subscript<Value>(_ option: Option<Value>) -> Value? {
        all(option).last
    }

    /// The operand's value, or nil where it was left out.
    package subscript<Value>(_ operand: Operand<Value>) -> Value? {
        all(operand).first
    }

    /// All values of an option that repeats, in order.
    package func all<Value>(_ option: Option<Value>) -> [Value] {
        (values[option.facts.name] ?? []).compactMap { try? option.reader.read($0) }
    }

    /// All values of an operand that repeats, in order.
    package func all<Value>(_ operand: Operand<Value>) -> [Value] {
        (arguments[operand.operandFacts.name] ?? []).compactMap { try? operand.reader.read($0) }
    }

    /// The operand's value, where the declaration or a given option demands it.
    package func require<Value>(_ operand: Operand<Value>) throws(Failure) -> Value {
        guard let value = self[operand] else {
            throw usage("missing-operand", "\(operand.operandFacts.name) is missing")
        }
        return value
    }

    /// The option's value, where another option or the operand demands it.
    package func require<Value>(_ option: Option<Value>) throws(Failure) -> Value {
        guard let value = self[option] else {
            throw usage("missing-option", "--\(option.facts.name) is missing")
        }
        return value
    }

    /// The bytes that were given for an option of this name, last one first asked.
    package func rawValue(ofOption name: String) -> [UInt8]? {
        values[name]?.last
    }

    /// Whether the command takes an option of this name.
    package func accepts(option name: String) -> Bool {
        path.last?.options.contains { $0.facts.name == name } ?? false
    }

    /// A usage error of this command, which points to its help.
    package func usage(_ code: String, _ message: String) -> Failure {
        Failure(
            .usage(
                code, message,
                help: "'\(program.name) help \(path.map(\.name).joined(separator: " "))'"
                    + " lists what it takes"))
    }
}
