package import GronaFormats

/// What an install does with an envelope.
package struct Outcome: Sendable {
    /// All rows in the SDK's order.
    package let rows: [CheckRow]
    /// Nil until the signature holds.
    package let kid: KeyID?
    /// Nil until the signature holds.
    package let head: PayloadHead?
    /// The members of schema 1, nil where one of them cannot be read, and until the signature
    /// holds.
    package let payload: ConfigPayload?
    /// What is accepted all the same and deserves a word.
    package let warnings: [RuleViolation]
    /// Whether it marks what the install runs as superseded (signed-configuration: Configurations
    /// that need a newer SDK).
    package let supersedes: Bool
    /// The install afterwards.
    package let install: Install

    /// The first failure, which is the verdict; nil when accepted.
    package var violation: RuleViolation? {
        rows.lazy.compactMap(\.result.violation).first
    }

    package var accepted: Bool { violation == nil }
    package var code: RuleCode? { violation?.code }

    package subscript(check: DeviceCheck) -> CheckResult {
        rows.first { $0.check == check }?.result ?? .skipped
    }
}
