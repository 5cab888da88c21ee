/// A value that a flag, the environment, a settings file or the program itself can give.
package struct Setting: Sendable {
    /// What a value means that stands in a settings file.
    package enum Kind: Sendable {
        case text
        /// A path: relative ones start at the folder of the settings file.
        case path
        /// A path after the prefix `file:`, or another kind of address.
        case address
        /// `true` or `false`; as a flag, given or not.
        case flag
    }

    /// The long name of the option that gives it.
    package let name: String
    /// The environment variables that give it, the first one that is set.
    package let environment: [String]
    package let kind: Kind
    /// Whether a settings file may give it.
    package let isTakenFromFile: Bool
    /// The value that holds when nobody gives one; nil where there is none.
    package let builtIn: @Sendable (EnvironmentValues) -> SettingValue?
    let check: @Sendable ([UInt8]) throws(ValueRefusal) -> Void

    /// The setting behind an option.
    package init<Value>(
        _ option: Option<Value>, kind: Kind, isTakenFromFile: Bool,
        builtIn: @escaping @Sendable (EnvironmentValues) -> SettingValue? = { _ in nil }
    ) {
        name = option.facts.name
        environment = option.facts.environment
        self.kind = kind
        self.isTakenFromFile = isTakenFromFile
        self.builtIn = builtIn
        check = option.facts.check
    }

    /// The setting behind a flag, which is off when nobody gives it.
    package init(_ flag: Flag, environment: [String], isTakenFromFile: Bool) {
        name = flag.facts.name
        self.environment = environment
        kind = .flag
        self.isTakenFromFile = isTakenFromFile
        builtIn = { _ in SettingValue("false", .builtIn(nil)) }
        check = { bytes throws(ValueRefusal) in
            guard SettingValue.flag(bytes) != nil else {
                throw ValueRefusal(expected: "true or false, or 1 or 0")
            }
        }
    }
}

/// Where a setting's value comes from.
package enum SettingOrigin: Sendable, Hashable {
    case option
    case environment(String)
    case file(path: String, line: Int, column: Int)
    /// The program's own value; with the variable or folder from which it is made.
    case builtIn(String?)

    /// A few words for people.
    package var text: String {
        switch self {
        case .option: "command line"
        case .environment(let name): "environment, \(name)"
        case .file(let path, let line, let column): "\(path):\(line):\(column)"
        case .builtIn(nil): "built-in"
        case .builtIn(let source?): "built-in, from \(source)"
        }
    }

    /// One word for programs.
    package var word: String {
        switch self {
        case .option: "option"
        case .environment: "environment"
        case .file: "file"
        case .builtIn: "built-in"
        }
    }
}

/// A setting's value as bytes, with its origin.
package struct SettingValue: Sendable, Hashable {
    package let bytes: [UInt8]
    package let origin: SettingOrigin

    package init(_ bytes: [UInt8], _ origin: SettingOrigin) {
        self.bytes = bytes
        self.origin = origin
    }

    package init(_ text: String, _ origin: SettingOrigin) {
        self.init(Array(text.utf8), origin)
    }

    /// The value as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value as text to show: what may be a password in an address is left out.
    package var shown: String { AddressText.redacted(text) }

    /// `true` or `1`, `false` or `0`; nil for anything else.
    static func flag(_ bytes: [UInt8]) -> Bool? {
        if bytes.elementsEqual("true".utf8) || bytes.elementsEqual("1".utf8) { return true }
        if bytes.elementsEqual("false".utf8) || bytes.elementsEqual("0".utf8) { return false }
        return nil
    }
}
