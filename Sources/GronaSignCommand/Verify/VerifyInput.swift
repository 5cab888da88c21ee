import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import StrictJSON

/// What `verify` reads: more than a reader takes in is a document that nobody accepts.
enum VerifyInput {
    static func read(_ path: FilePath, limit: Int) throws(Failure) -> [UInt8] {
        do throws(Failure) {
            return try InputDocument.read(path, limit: limit)
        } catch {
            guard error.reason.code == RuleCode.inputTooLarge.rawValue else { throw error }
            var reason = error.reason
            reason.exit = .negative
            throw Failure(reason)
        }
    }

    /// The token as given, or from standard input without the newline at its end.
    static func token(_ token: String) throws(Failure) -> [UInt8] {
        token == "-" ? try line() : Array(token.utf8)
    }

    /// Standard input without the newline at its end.
    static func line() throws(Failure) -> [UInt8] {
        var bytes = try read("-", limit: Limits.Reader.line)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return bytes
    }
}

/// Members that are null where nothing is known.
enum VerifyJSON {
    static func text(_ text: String?) -> JSONValue {
        text.map(JSONValue.string) ?? .null
    }

    static func number(_ number: Int64?) -> JSONValue {
        number.map(JSONValue.integer) ?? .null
    }
}

/// The verdict in one line, where it is no.
enum VerifyVerdict {
    static func tell(_ violation: RuleViolation?, file: String?, on console: Console) {
        guard let violation else { return }
        console.report(
            Diagnostic(
                code: violation.code.rawValue, message: RuleWording.message(violation),
                file: file, exit: .negative))
    }
}
