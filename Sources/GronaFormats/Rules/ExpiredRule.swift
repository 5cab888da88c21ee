package import StrictJSON

/// Row `expired`: `expires_at` is in the future.
///
/// Source: signed-configuration: What the SDK checks, `expires_at`; Freeze protection.
package enum ExpiredRule {
    package static func check(_ root: JSONElement, now: UnixTime) throws(RuleViolation) {
        try check(expiresAt: try root.time("expires_at", .payloadMalformed), now: now)
    }

    package static func check(expiresAt: UnixTime, now: UnixTime) throws(RuleViolation) {
        guard expiresAt > now else {
            throw RuleViolation(.payloadExpired, .expired(at: expiresAt, now: now))
        }
    }
}
