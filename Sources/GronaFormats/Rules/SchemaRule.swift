/// Row `schema`: it is 1; a config with another supersedes the one that runs.
///
/// Source: signed-configuration: What the SDK checks, Configurations that need a newer SDK.
package enum SchemaRule {
    package static func check(_ schema: Int64) throws(RuleViolation) {
        guard schema == PayloadRule.knownSchema else {
            throw RuleViolation(
                .payloadUnknownSchema, .number(found: schema, needed: PayloadRule.knownSchema))
        }
    }
}
