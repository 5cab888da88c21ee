package import StrictJSON

/// The two forms of a diagnostic: lines for people, one JSON line for programs.
enum DiagnosticText {
    /// `PROGRAM: error[CODE]: FILE:LINE:COLUMN /POINTER: MESSAGE`, then the help where there is
    /// some.
    static func lines(_ diagnostic: Diagnostic, program: String, style: TextStyle) -> String {
        let word = "\(diagnostic.severity.rawValue)[\(DisplayText.escaped(diagnostic.code))]"
        let coloured =
            switch diagnostic.severity {
            case .error: style.red(style.bold(word))
            case .warning: style.yellow(word)
            case .note: style.bold(word)
            }
        var text = "\(program): \(coloured): "
        if let place = place(diagnostic) { text += "\(place): " }
        text += DisplayText.escaped(diagnostic.message) + "\n"
        if let help = diagnostic.help {
            text += "\(program): \(style.bold("help")): \(DisplayText.escaped(help))\n"
        }
        return text
    }

    /// `FILE:LINE:COLUMN /POINTER`, as much of it as is known.
    static func place(_ diagnostic: Diagnostic) -> String? {
        var words: [String] = []
        if let file = diagnostic.file {
            var word = DisplayText.escaped(file)
            if let line = diagnostic.line {
                word += ":\(line)"
                if let column = diagnostic.column { word += ":\(column)" }
            }
            words.append(word)
        }
        if let pointer = diagnostic.pointer, !pointer.isEmpty {
            words.append(DisplayText.escaped(pointer))
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// `{"error":{"code","message",…}}`; a member that is not known is left out.
    static func json(_ diagnostic: Diagnostic) -> [UInt8] {
        JSONValue.object([(diagnostic.severity.rawValue, .object(members(diagnostic)))])
            .canonical()
    }

    /// The same of a failure; further findings stand in `others`.
    static func json(_ failure: Failure) -> [UInt8] {
        JSONValue.object([("error", value(failure))]).canonical()
    }

    static func value(_ failure: Failure) -> JSONValue {
        var members = members(failure.reason)
        if !failure.others.isEmpty {
            members.append(
                ("others", .array(failure.others.map { .object(self.members($0)) })))
        }
        return .object(members)
    }

    private static func members(_ diagnostic: Diagnostic) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("code", .string(diagnostic.code)), ("message", .string(diagnostic.message)),
        ]
        if let file = diagnostic.file { members.append(("file", .string(file))) }
        if let line = diagnostic.line { members.append(("line", .integer(Int64(line)))) }
        if let column = diagnostic.column { members.append(("column", .integer(Int64(column)))) }
        if let pointer = diagnostic.pointer { members.append(("pointer", .string(pointer))) }
        if let help = diagnostic.help { members.append(("help", .string(help))) }
        for (name, number) in diagnostic.numbers { members.append((name, .integer(number))) }
        return members
    }
}

extension Failure {
    /// The members of the error as JSON, for an answer that has others beside it.
    package var json: JSONValue {
        DiagnosticText.value(self)
    }
}
