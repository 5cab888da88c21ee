/// The options that every command takes; the parser gives them to the console.
enum StandardOptions {
    static let help = Flag("help", short: "h", help: "show this help")
    static let json = Flag(
        "json",
        help: "one JSON value on standard output; an error is one JSON line on standard error")
    static let quiet = Flag("quiet", short: "q", help: "no notes and no progress")
    static let verbose = Flag("verbose", short: "v", help: "say more about what is done")
    static let color = Option(
        "color", .choice("WHEN", Console.ColorChoice.allCases.map(\.rawValue)),
        environment: ["NO_COLOR"], builtIn: "auto", help: "colours: auto, always or never")
    static let noInput = Flag("no-input", help: "never ask on the terminal")

    static let all: [any OptionDeclaration] = [help, json, quiet, verbose, color, noInput]

    /// Only before a command: afterwards it is whatever the command declares.
    static let version = Flag("version", help: "show the program's version")

    static func preferences(_ values: [String: [[UInt8]]]) -> Console.Preferences {
        var preferences = Console.Preferences()
        preferences.json = values[json.facts.name] != nil
        preferences.quiet = values[quiet.facts.name] != nil
        preferences.verbose = values[verbose.facts.name] != nil
        preferences.noInput = values[noInput.facts.name] != nil
        if let bytes = values[color.facts.name]?.last, let word = try? color.reader.read(bytes) {
            preferences.color = Console.ColorChoice(rawValue: word) ?? .auto
        }
        return preferences
    }
}
