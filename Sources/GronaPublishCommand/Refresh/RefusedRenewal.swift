import CommandLineKit
import StrictJSON

/// Why a workspace was not renewed, where no later run gets over it by itself: `{"code", "message",
/// "help", "version"}`, with the version that was served then.
struct RefusedRenewal {
    private static let textLimit = 2_000

    let code: String
    let message: String
    let help: String?
    let version: Int64?

    init(_ trouble: Diagnostic, version: Int64?) {
        code = trouble.code
        message = String(trouble.message.prefix(Self.textLimit))
        help = trouble.help.map { String($0.prefix(Self.textLimit)) }
        self.version = version
    }

    /// Nil for what is none.
    init?(_ element: JSONElement) {
        guard let code = element["code"]?.string, let message = element["message"]?.string else {
            return nil
        }
        self.code = code
        self.message = message
        help = element["help"]?.string
        version = element["version"]?.integer
    }

    var json: JSONValue {
        .object([
            ("code", .string(code)), ("message", .string(message)),
            ("help", help.map { .string($0) } ?? .null),
            ("version", version.map { .integer($0) } ?? .null),
        ])
    }
}
