import DeviceModel
package import GronaFormats

/// What the checks of a token said.
package struct TokenReport<Claims: Sendable>: Sendable {
    /// All checks in their order.
    package let checks: [NamedCheck]
    /// Nil until the signature holds.
    package let kid: KeyID?
    /// Nil until the signature holds, and where a claim cannot be read.
    package let claims: Claims?
    package let warnings: [RuleViolation]

    /// The first failure, which is the verdict; nil when accepted.
    package var violation: RuleViolation? {
        checks.lazy.compactMap(\.result.violation).first
    }

    package var accepted: Bool { violation == nil }
    package var code: RuleCode? { violation?.code }
}
