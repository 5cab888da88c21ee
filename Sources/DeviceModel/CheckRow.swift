package import GronaFormats

/// What a check said.
package enum CheckResult: Sendable, Equatable {
    case passed
    case failed(RuleViolation)
    /// Made meaningless by an earlier row, or not asked.
    case skipped

    package var violation: RuleViolation? {
        if case .failed(let violation) = self { violation } else { nil }
    }
}

/// One row of the table of what an SDK checks.
package struct CheckRow: Sendable, Equatable {
    package let check: DeviceCheck
    package let result: CheckResult

    package init(check: DeviceCheck, result: CheckResult) {
        self.check = check
        self.result = result
    }
}
