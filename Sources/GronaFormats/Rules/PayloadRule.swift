import JOSE
package import StrictJSON

/// The three members of a payload that an SDK reads whatever the schema is.
package struct PayloadHead: Sendable {
    package let root: JSONElement
    package let schema: Int64
    package let version: ConfigVersion
    package let workspace: String
}

/// Row `payload`: at most 524,288 bytes of JSON, 32 levels deep, an object with an integer
/// `schema`, an integer `version` of at least 1 and a string `workspace`.
///
/// In schema 1 `settings` are an object and `campaigns` an array of objects where they are there
/// at all; another schema may have given them another form.
///
/// Source: signed-configuration: What the SDK checks.
package enum PayloadRule {
    package static let knownSchema: Int64 = 1

    /// - Parameter text: the base64url text of the payload.
    package static func read(_ text: [UInt8]) throws(RuleViolation) -> PayloadHead {
        guard let bytes = Base64URL.decode(text) else {
            throw RuleViolation(.payloadMalformed, .notBase64URL)
        }
        return try read(decoded: bytes)
    }

    package static func read(decoded bytes: [UInt8]) throws(RuleViolation) -> PayloadHead {
        let limit = Limits.payload.verifying
        guard bytes.count <= limit else {
            throw RuleViolation(.payloadTooLarge, .size(bytes.count, limit: limit))
        }
        let root: JSONElement
        do throws(JSONError) {
            root = try JSONDocument.parse(bytes, maximumDepth: Limits.depth).root
        } catch {
            if case .tooDeep = error.detail { throw RuleViolation(.payloadTooDeep, .json(error)) }
            throw RuleViolation(.payloadMalformed, .json(error))
        }
        guard root.kind == .object else { throw RuleViolation(.payloadMalformed, .notAnObject) }
        let schema = try root.integer("schema", .payloadMalformed)
        guard let version = ConfigVersion(try root.integer("version", .payloadMalformed)) else {
            throw .wrong("/version", .positiveInteger, .payloadMalformed)
        }
        let workspace = try root.text("workspace", .payloadMalformed)
        if schema == knownSchema { try checkContainers(root) }
        return PayloadHead(root: root, schema: schema, version: version, workspace: workspace)
    }

    private static func checkContainers(_ root: JSONElement) throws(RuleViolation) {
        if let settings = root["settings"], settings.kind != .object {
            throw .wrong("/settings", .object, .payloadMalformed)
        }
        guard let campaigns = root["campaigns"] else { return }
        guard campaigns.kind == .array else {
            throw .wrong("/campaigns", .array, .payloadMalformed)
        }
        for (index, campaign) in campaigns.elements.enumerated() where campaign.kind != .object {
            throw .wrong("/campaigns/\(index)", .object, .payloadMalformed)
        }
    }
}
