package import DeviceModel
import GronaFormats

/// One check of a report, by its name.
package struct NamedCheck: Sendable, Equatable {
    package let name: String
    package let result: CheckResult

    package init(name: String, result: CheckResult) {
        self.name = name
        self.result = result
    }
}

extension Outcome {
    /// The rows by their names, as they are shown.
    package var namedChecks: [NamedCheck] {
        rows.map { NamedCheck(name: $0.check.rawValue, result: $0.result) }
    }
}
