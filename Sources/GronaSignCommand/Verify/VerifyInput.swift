import CommandLineKit
import DeviceModel
import GronaCommand
import GronaFormats
import LinuxIO
import StrictJSON

/// What `verify` reads: more than a reader takes in fails the first check, the size.
enum VerifyInput {
    static func envelope(_ path: FilePath) throws(Failure) -> EnvelopeReading {
        let limit = Limits.Reader.envelope
        if let bytes = try read(path, limit: limit) { return EnvelopeReading(bytes) }
        let size = path == "-" ? nil : (try? FileSystem.status(of: path))?.size
        return EnvelopeReading(
            unreadBytes: max(size ?? 0, limit + 1), limit: Limits.envelope.verifying)
    }

    /// The token as given, or from standard input without the newline at its end.
    static func token(_ token: String) throws(Failure) -> [UInt8] {
        guard token == "-" else { return Array(token.utf8) }
        let limit = Limits.Reader.line
        guard var bytes = try read("-", limit: limit) else {
            return [UInt8](repeating: UInt8(ascii: "."), count: limit + 1)
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return bytes
    }

    /// Nil for more than the limit.
    private static func read(_ path: FilePath, limit: Int) throws(Failure) -> [UInt8]? {
        do throws(Failure) {
            return try InputDocument.read(path, limit: limit)
        } catch {
            guard error.reason.code == RuleCode.inputTooLarge.rawValue else { throw error }
            return nil
        }
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
