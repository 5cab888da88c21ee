/// One thing to tell a person: an error, a warning or a note, with its code and its place.
package struct Diagnostic: Sendable, Hashable {
    package enum Severity: String, Sendable, Hashable {
        case error, warning, note
    }

    package var severity: Severity
    /// The stable name of the rule, such as `payload.lifetime`; scripts match on it.
    package var code: String
    /// What is wrong, on one line and without a full stop.
    package var message: String
    package var file: String?
    /// Counted from 1.
    package var line: Int?
    /// Counted from 1, in characters.
    package var column: Int?
    /// A JSON Pointer (RFC 6901).
    package var pointer: String?
    /// What to do next.
    package var help: String?
    /// The status with which a program ends for which this is the reason.
    package var exit: ExitStatus
    /// More members of the error's JSON, such as `next_version`.
    package var numbers: [String: Int64] = [:]

    package init(
        _ severity: Severity = .error, code: String, message: String, file: String? = nil,
        line: Int? = nil, column: Int? = nil, pointer: String? = nil, help: String? = nil,
        exit: ExitStatus
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.pointer = pointer
        self.help = help
        self.exit = exit
    }

    /// A warning: the program goes on.
    package static func warning(
        code: String, message: String, file: String? = nil, line: Int? = nil, column: Int? = nil,
        pointer: String? = nil, help: String? = nil
    ) -> Diagnostic {
        Diagnostic(
            .warning, code: code, message: message, file: file, line: line, column: column,
            pointer: pointer, help: help, exit: .success)
    }

    /// Wrong use of the command line.
    package static func usage(
        _ code: String, _ message: String, help: String? = nil
    ) -> Diagnostic {
        Diagnostic(code: "usage.\(code)", message: message, help: help, exit: .usage)
    }
}

/// The one error of the command layer: why a command ends, in words.
package struct Failure: Error, Sendable, Hashable {
    /// The reason; its `exit` is the program's status.
    package var reason: Diagnostic
    /// Further findings, told in order after the reason.
    package var others: [Diagnostic]

    package init(_ reason: Diagnostic, others: [Diagnostic] = []) {
        self.reason = reason
        self.others = others
    }

    package var status: ExitStatus { reason.exit }
}
