package import StrictJSON

/// Row `ttl`: `ttl_seconds` is not negative; what is outside 300…86,400 is clamped, not rejected.
///
/// Source: signed-configuration: Refresh.
package enum TTLRule {
    package static func check(_ root: JSONElement) throws(RuleViolation) -> Int64 {
        let seconds = try root.integer("ttl_seconds", .payloadMalformed)
        guard seconds >= 0 else {
            throw RuleViolation(.payloadTTL, .number(found: seconds, needed: 0))
        }
        return seconds
    }
}
