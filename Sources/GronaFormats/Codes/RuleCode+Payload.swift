// What an SDK rejects a config by, after its signature.
extension RuleCode {
    /// Decoded payload over 512 KB (signed-configuration: What the SDK checks).
    package static let payloadTooLarge = RuleCode("payload.too-large")
    /// No JSON, or a member is missing or of another type than its row needs (signed-
    /// configuration: What the SDK checks).
    package static let payloadMalformed = RuleCode("payload.malformed")
    /// JSON nested deeper than 32 levels (signed-configuration: What the SDK checks).
    package static let payloadTooDeep = RuleCode("payload.too-deep")
    /// `workspace` is not the install's (signed-configuration: The workspace check).
    package static let payloadWrongWorkspace = RuleCode("payload.wrong-workspace")
    /// `schema` is not 1; such a config supersedes (signed-configuration: Configurations that
    /// need a newer SDK).
    package static let payloadUnknownSchema = RuleCode("payload.unknown-schema")
    /// `version` is below the highest that the install accepted (signed-configuration: Rollback
    /// protection).
    package static let payloadRollback = RuleCode("payload.rollback")
    /// `issued_at` lies outside 2020–2100 (signed-configuration: Time values).
    package static let payloadIssuedAt = RuleCode("payload.issued-at")
    /// `expires_at` is not after `issued_at`, or more than 400 days after it (signed-
    /// configuration: Time values).
    package static let payloadLifetime = RuleCode("payload.lifetime")
    /// `expires_at` is not in the future (signed-configuration: Freeze protection).
    package static let payloadExpired = RuleCode("payload.expired")
    /// `ttl_seconds` is negative (signed-configuration: Refresh).
    package static let payloadTTL = RuleCode("payload.ttl")
    /// `min_sdk` is above the SDK's version; such a config supersedes (signed-configuration:
    /// Configurations that need a newer SDK).
    package static let payloadNeedsNewerSDK = RuleCode("payload.needs-newer-sdk")
    /// A campaign that no SDK can read, which therefore never runs; a warning.
    package static let payloadCampaign = RuleCode("payload.campaign")
    /// Only one of the two demo switches is on; a warning (signed-configuration: Demo mode).
    package static let payloadDemo = RuleCode("payload.demo")
}
