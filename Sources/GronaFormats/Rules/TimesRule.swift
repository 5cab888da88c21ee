package import StrictJSON

/// When a config was issued and when it ends.
package struct ConfigTimes: Sendable, Hashable {
    package let issuedAt: UnixTime
    package let expiresAt: UnixTime

    package init(issuedAt: UnixTime, expiresAt: UnixTime) {
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    package var lifetime: DurationSeconds { expiresAt.since(issuedAt) }
}

/// Row `times`: `issued_at` in 2020–2100, `expires_at` after it and at most 400 days later.
///
/// Source: signed-configuration: Time values.
package enum TimesRule {
    package static func check(_ root: JSONElement) throws(RuleViolation) -> ConfigTimes {
        let times = ConfigTimes(
            issuedAt: try root.time("issued_at", .payloadMalformed),
            expiresAt: try root.time("expires_at", .payloadMalformed))
        try check(times)
        return times
    }

    package static func check(_ times: ConfigTimes) throws(RuleViolation) {
        guard times.issuedAt.isWithinBounds else {
            throw RuleViolation(.payloadIssuedAt, .outOfBounds(times.issuedAt))
        }
        guard times.expiresAt > times.issuedAt else {
            throw RuleViolation(
                .payloadLifetime,
                .endsBeforeItBegins(from: times.issuedAt, to: times.expiresAt))
        }
        guard times.lifetime <= Limits.configLifetime else {
            throw RuleViolation(
                .payloadLifetime, .tooLong(times.lifetime, limit: Limits.configLifetime))
        }
    }
}
