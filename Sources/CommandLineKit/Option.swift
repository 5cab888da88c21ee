/// What every option and flag tells the parser, the help, the completions and the manual.
package struct OptionFacts: Sendable {
    /// The long name without its dashes.
    package let name: String
    /// The short name, one ASCII letter.
    package let short: Character?
    /// What the help calls the value; nil for a flag.
    package let valueName: String?
    package let help: String
    /// The environment variables that give a default, the first one that is set.
    package let environment: [String]
    /// The value that holds when nothing is given, in words for the help.
    package let builtIn: String?
    package let repeats: Bool
    package let isRequired: Bool
    package let completion: Completion
    let check: @Sendable ([UInt8]) throws(ValueRefusal) -> Void

    package var takesValue: Bool { valueName != nil }
}

/// An option or flag of any type, as a command lists it.
package protocol OptionDeclaration: Sendable {
    var facts: OptionFacts { get }
}

/// An option without a value, such as `--force`; giving it twice is as giving it once.
package struct Flag: OptionDeclaration {
    package let facts: OptionFacts

    package init(_ name: String, short: Character? = nil, help: String) {
        facts = OptionFacts(
            name: name, short: short, valueName: nil, help: help, environment: [], builtIn: nil,
            repeats: true, isRequired: false, completion: .none, check: { _ in })
    }
}

/// An option with a value.
package struct Option<Value: Sendable>: OptionDeclaration {
    package let facts: OptionFacts
    package let reader: ValueReader<Value>

    /// - Parameters:
    ///   - environment: variables that give a default; the settings resolve it, not the parser.
    ///   - builtIn: the default in words, for the help.
    ///   - repeats: may be given more than once.
    ///   - isRequired: its absence is a usage error.
    package init(
        _ name: String, short: Character? = nil, _ reader: ValueReader<Value>,
        environment: [String] = [], builtIn: String? = nil, repeats: Bool = false,
        isRequired: Bool = false, help: String
    ) {
        self.reader = reader
        facts = OptionFacts(
            name: name, short: short, valueName: reader.valueName, help: help,
            environment: environment, builtIn: builtIn, repeats: repeats, isRequired: isRequired,
            completion: reader.completion,
            check: { bytes throws(ValueRefusal) in _ = try reader.read(bytes) })
    }
}
