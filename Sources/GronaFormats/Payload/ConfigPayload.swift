package import StrictJSON

/// A config's payload as an SDK of schema 1 reads it, typed; whatever else it holds stays in
/// `root`.
///
/// Source: signed-configuration: What the SDK checks, Refresh, Demo mode.
package struct ConfigPayload: Sendable {
    package let root: JSONElement
    package let version: ConfigVersion
    package let workspace: String
    package let times: ConfigTimes
    /// A refresh hint in seconds, as written; SDKs clamp it to 300…86,400.
    package let ttlSeconds: Int64
    package let minSDK: SDKVersion
    /// Nil when absent, which reads as empty.
    package let settings: JSONElement?
    /// Those that an SDK can read, in the order of the payload.
    package let campaigns: [Campaign]
    /// What the others are unreadable by.
    package let unreadableCampaigns: [RuleViolation]

    package var issuedAt: UnixTime { times.issuedAt }
    package var expiresAt: UnixTime { times.expiresAt }

    /// Whether `settings.demo` is `true` (signed-configuration: Demo mode).
    package var isDemo: Bool { settings?["demo"]?.boolean ?? false }

    /// The raw elements of `campaigns`, readable or not.
    package var campaignElements: [JSONElement] {
        root["campaigns"].map { Array($0.elements) } ?? []
    }

    package func campaign(_ id: String) -> Campaign? {
        campaigns.first { $0.id.text.hasSameBytes(as: id) }
    }

    /// Reads the members of schema 1 behind the head; their bounds are other rules' matter.
    package init(_ head: PayloadHead) throws(RuleViolation) {
        try SchemaRule.check(head.schema)
        root = head.root
        version = head.version
        workspace = head.workspace
        times = ConfigTimes(
            issuedAt: try root.time("issued_at", .payloadMalformed),
            expiresAt: try root.time("expires_at", .payloadMalformed))
        ttlSeconds = try root.integer("ttl_seconds", .payloadMalformed)
        minSDK = try MinSDKRule.read(root)
        settings = root["settings"]
        var readable: [Campaign] = []
        var unreadable: [RuleViolation] = []
        if let elements = root["campaigns"]?.elements {
            readable.reserveCapacity(elements.underestimatedCount)
            for (index, element) in elements.enumerated() {
                do throws(RuleViolation) {
                    readable.append(try Campaign(reading: element))
                } catch {
                    unreadable.append(error.below("/campaigns/\(index)"))
                }
            }
        }
        campaigns = readable
        unreadableCampaigns = unreadable
    }

    /// Reads decoded payload bytes: their form, not their bounds, and no signature.
    package init(decoded bytes: [UInt8]) throws(RuleViolation) {
        try self.init(try PayloadRule.read(decoded: bytes))
    }

    /// RFC 8785.
    package func canonical() -> [UInt8] {
        root.canonical()
    }
}
