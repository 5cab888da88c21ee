/// Row `workspace`: the payload names the install's workspace.
///
/// Source: signed-configuration: The workspace check.
package enum WorkspaceRule {
    package static func check(_ found: String, needed: String) throws(RuleViolation) {
        guard found.hasSameBytes(as: needed) else {
            throw RuleViolation(.payloadWrongWorkspace, .text(found: found, needed: needed))
        }
    }
}
