package import CommandLineKit
import DeviceModel
package import GronaFormats
package import GronaVerification
package import StrictJSON

/// The table of checks of a config, a grant or a preview pin, as text and as JSON.
package enum CheckReport {
    /// A row a check, in the order in which they were made.
    package static func table(_ checks: [NamedCheck]) -> Table {
        var table = Table(["check", "result", "code", "detail"])
        for check in checks {
            switch check.result {
            case .passed: table.add([.init(check.name), .init("ok", .good)])
            case .skipped: table.add([.init(check.name, .faint), .init("skipped", .faint)])
            case .failed(let violation):
                table.add([
                    .init(check.name), .init("FAILED", .bad), .init(violation.code.rawValue),
                    .init(RuleWording.message(violation)),
                ])
            }
        }
        return table
    }

    /// `[{"check", "ok": true|false|"skipped", "code"?, "detail"?}]`
    package static func json(_ checks: [NamedCheck]) -> JSONValue {
        .array(
            checks.map { check in
                var members: [(String, JSONValue)] = [("check", .string(check.name))]
                switch check.result {
                case .passed: members.append(("ok", .boolean(true)))
                case .skipped: members.append(("ok", .string("skipped")))
                case .failed(let violation):
                    members += [
                        ("ok", .boolean(false)), ("code", .string(violation.code.rawValue)),
                        ("detail", .string(RuleWording.message(violation))),
                    ]
                }
                return .object(members)
            })
    }

    /// `[{"code", "message"}]`
    package static func json(warnings: [RuleViolation]) -> JSONValue {
        .array(
            warnings.map { warning in
                .object([
                    ("code", .string(warning.code.rawValue)),
                    ("message", .string(RuleWording.message(warning))),
                ])
            })
    }

    /// Tells the warnings on standard error.
    package static func tell(_ warnings: [RuleViolation], file: String?, on console: Console) {
        for warning in self.warnings(warnings, file: file) { console.report(warning) }
    }

    /// The words for what a device takes and a person should know.
    package static func warnings(_ warnings: [RuleViolation], file: String?) -> [Diagnostic] {
        warnings.map {
            .warning(code: $0.code.rawValue, message: RuleWording.message($0), file: file)
        }
    }
}
