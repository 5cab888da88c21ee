import DeviceModel
import GronaFormats

/// What the checks of a grant said.
public struct GrantVerdict: Sendable, Hashable {
    /// One check by its name, such as `signature` or `expired`.
    public struct Check: Sendable, Hashable {
        public enum Result: Sendable, Hashable {
            case passed
            /// With the stable code of the rule, such as `grant.expired`.
            case failed(code: String)
            /// Made meaningless by an earlier failure, or not asked.
            case skipped
        }

        public let name: String
        public let result: Result
    }

    /// All checks in their order.
    public let checks: [Check]
    /// Nil when the grant was refused: then there is no treatment, and the order still succeeds.
    public let grant: VerifiedGrant?

    /// The code of the first failure, nil when accepted.
    public var code: String? {
        for check in checks {
            if case .failed(let code) = check.result { return code }
        }
        return nil
    }

    init(_ checks: [NamedCheck], _ grant: VerifiedGrant?) {
        self.checks = checks.map { check in
            let result: Check.Result =
                switch check.result {
                case .passed: .passed
                case .failed(let violation): .failed(code: violation.code.rawValue)
                case .skipped: .skipped
                }
            return Check(name: check.name, result: result)
        }
        self.grant = grant
    }
}
