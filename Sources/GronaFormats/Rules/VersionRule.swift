/// Row `version`: at least the highest version that this install has accepted.
///
/// Source: signed-configuration: Rollback protection.
package enum VersionRule {
    package static func check(
        _ version: ConfigVersion, highest: ConfigVersion?
    ) throws(RuleViolation) {
        guard let highest, version < highest else { return }
        throw RuleViolation(.payloadRollback, .version(found: version, highest: highest))
    }
}
