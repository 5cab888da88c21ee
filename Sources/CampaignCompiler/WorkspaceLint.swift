/// What checking a workspace's sources gives.
package struct WorkspaceLint: Sendable {
    /// The folder's name.
    package let folder: String

    /// What stands against the sources, by file, then by place.
    package let findings: [Finding]

    /// Findings that `workspace.json` accepts with a reason.
    package let waived: [Finding]

    /// What a payload is made from; `nil` while an error stands.
    package let workspace: CheckedWorkspace?
}
