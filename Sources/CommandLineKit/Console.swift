import LinuxIO
package import StrictJSON
import Synchronization

/// Where a program's text goes: results to standard output, everything else to standard error.
///
/// Output is buffered: a command that fails before it flushes has written nothing. An error of
/// standard output is kept and ends the program with 74; it never traps.
package final class Console: Sendable {
    package enum ColorChoice: String, Sendable, CaseIterable {
        case auto, always, never
    }

    /// The options that every command takes.
    package struct Preferences: Sendable {
        package var json = false
        package var quiet = false
        package var verbose = false
        package var noInput = false
        package var color = ColorChoice.auto

        package init() {}
    }

    package let program: String
    /// How programs are called from here, where it is not by their own names.
    private let spellings: [CommandSpelling]
    private let output: any OutputStream
    private let errors: any OutputStream
    private let state: Mutex<State>

    private struct State {
        var preferences = Preferences()
        var noColor = false
        var buffer: [UInt8] = []
        /// The first error number that standard output gave.
        var outputError: Int32?
    }

    /// Text above which the buffer is written even before the command ends.
    private static let bufferLimit = 1 << 20

    package init(
        program: String, output: any OutputStream = StandardStream.output,
        errors: any OutputStream = StandardStream.error,
        environment: EnvironmentValues = .process, spellings: [CommandSpelling] = []
    ) {
        self.program = program
        self.spellings = spellings
        self.output = output
        self.errors = errors
        var state = State()
        state.noColor = environment["NO_COLOR"] != nil || environment["TERM"] == "dumb"
        self.state = Mutex(state)
    }

    package var preferences: Preferences {
        get { state.withLock { $0.preferences } }
        set { state.withLock { $0.preferences = newValue } }
    }

    // MARK: Results

    /// Adds text to standard output as it is; text from documents goes through `DisplayText`.
    package func write(_ text: String) {
        write(bytes: Array(text.utf8))
    }

    /// Adds a line to standard output.
    package func line(_ text: String = "") {
        write(text + "\n")
    }

    /// Adds bytes to standard output.
    package func write(bytes: [UInt8]) {
        state.withLock { state in
            state.buffer += bytes
            guard state.buffer.count > Self.bufferLimit, !state.preferences.json else { return }
            flush(&state)
        }
    }

    /// Adds the one JSON value of `--json`, in canonical form (RFC 8785), with a newline.
    ///
    /// Characters that could steer a terminal are written as `\uXXXX`: the same value.
    package func json(_ value: JSONValue) {
        json(line: value.canonical())
    }

    /// Adds one line that is a JSON text, written as safely.
    package func json(line text: [UInt8]) {
        write(bytes: Self.terminalSafe(json: text))
        write("\n")
    }

    /// Writes what is buffered now: for answers that another program waits for.
    ///
    /// - Throws: `output.closed` or `output.failed`, status 74.
    package func flush() throws(Failure) {
        let error = state.withLock { state -> Int32? in
            flush(&state)
            return state.outputError
        }
        if let error { throw Self.outputFailure(error) }
    }

    /// Drops what is buffered.
    func discard() {
        state.withLock { $0.buffer = [] }
    }

    private func flush(_ state: inout State) {
        if state.outputError == nil, !state.buffer.isEmpty {
            state.outputError = output.write(state.buffer)
        }
        state.buffer = []
    }

    private static func outputFailure(_ number: Int32) -> Failure {
        let closed = ErrorNumber(rawValue: number) == .brokenPipe
        return Failure(
            Diagnostic(
                code: closed ? "output.closed" : "output.failed",
                message: closed
                    ? "standard output was closed before everything was written"
                    : "standard output: \(ErrorNumber(rawValue: number).text)",
                exit: .inputOutput))
    }

    private static func terminalSafe(json: [UInt8]) -> [UInt8] {
        guard let text = String(validating: json, as: UTF8.self),
            text.unicodeScalars.contains(where: DisplayText.isUnsafe)
        else { return json }
        var result = ""
        for scalar in text.unicodeScalars {
            if DisplayText.isUnsafe(scalar) {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return Array(result.utf8)
    }

    // MARK: Everything else

    /// Tells an error, a warning or a note on standard error; with `--json` as one JSON line, whose
    /// one member is named after the severity.
    package func report(_ diagnostic: Diagnostic) {
        let diagnostic = spelled(diagnostic)
        if preferences.quiet, diagnostic.severity == .note { return }
        if preferences.json {
            send(errorLine: DiagnosticText.json(diagnostic))
        } else {
            send(error: DiagnosticText.lines(diagnostic, program: program, style: errorStyle))
        }
    }

    /// Tells why a command ends; with `--json` as exactly one JSON line.
    package func report(_ failure: Failure) {
        if preferences.json {
            send(errorLine: DiagnosticText.json(spelled(failure)))
        } else {
            report(failure.reason)
            for other in failure.others { report(other) }
        }
    }

    /// What `report` writes.
    package func bytes(of failure: Failure) -> [UInt8] {
        let failure = spelled(failure)
        if preferences.json {
            return Self.terminalSafe(json: DiagnosticText.json(failure)) + [UInt8(ascii: "\n")]
        }
        return ([failure.reason] + failure.others).flatMap {
            Array(DiagnosticText.lines($0, program: program, style: errorStyle).utf8)
        }
    }

    /// Says something that is no result on standard error, unless `-q`; with `--json` as
    /// `{"note":{"message"}}`.
    package func note(_ text: String) {
        guard !preferences.quiet else { return }
        say(text)
    }

    /// Says something only with `-v`.
    package func detail(_ text: String) {
        guard preferences.verbose else { return }
        say(text)
    }

    /// Says something that neither `-q` nor `--json` silences, such as `rehearsal`.
    package func announce(_ text: String) {
        say(text)
    }

    private func say(_ text: String) {
        let text = spelled(text)
        guard preferences.json else {
            return send(error: "\(program): \(DisplayText.escaped(text))\n")
        }
        let note = JSONValue.object([("note", .object([("message", .string(text))]))])
        send(errorLine: note.canonical())
    }

    /// Writes text to standard error as it is.
    package func send(error text: String) {
        send(errorBytes: Array(text.utf8))
    }

    private func send(errorLine json: [UInt8]) {
        send(errorBytes: Self.terminalSafe(json: json) + [UInt8(ascii: "\n")])
    }

    private func send(errorBytes: [UInt8]) {
        _ = errors.write(errorBytes)
    }

    // MARK: How commands are typed

    /// The text with the commands in it as they are typed here.
    package func spelled(_ text: String) -> String {
        spellings.reduce(text) { $1.applied(to: $0) }
    }

    private func spelled(_ diagnostic: Diagnostic) -> Diagnostic {
        guard !spellings.isEmpty else { return diagnostic }
        var diagnostic = diagnostic
        diagnostic.message = spelled(diagnostic.message)
        diagnostic.help = diagnostic.help.map { spelled($0) }
        return diagnostic
    }

    private func spelled(_ failure: Failure) -> Failure {
        Failure(spelled(failure.reason), others: failure.others.map { spelled($0) })
    }

    /// Whether people call the program of that name in another form here, which takes neither files
    /// nor stores and not every command.
    package func isSpelled(_ program: String) -> Bool {
        spellings.contains { $0.program.utf8.elementsEqual(program.utf8) }
    }

    // MARK: Looks

    package var outputIsTerminal: Bool { output.isTerminal }
    package var errorsAreTerminal: Bool { errors.isTerminal }
    /// Columns of standard output; 80 where it is no terminal.
    package var columns: Int { output.columns ?? 80 }
    /// Colours for standard output.
    package var style: TextStyle { TextStyle(isOn: usesColor(output)) }
    /// Colours for standard error.
    package var errorStyle: TextStyle { TextStyle(isOn: usesColor(errors)) }

    private func usesColor(_ stream: any OutputStream) -> Bool {
        let (choice, noColor) = state.withLock { ($0.preferences.color, $0.noColor) }
        return switch choice {
        case .always: true
        case .never: false
        case .auto: !noColor && stream.isTerminal
        }
    }
}
