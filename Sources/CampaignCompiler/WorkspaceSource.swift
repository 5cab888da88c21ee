/// The source files of one workspace: `workspace.json` and one file a campaign.
package struct WorkspaceSource: Sendable {
    /// The folder's name, which has to equal the workspace key.
    package let folder: String

    /// What stands before a file's name in findings, such as `campaigns/acme-market`; may be empty.
    package let label: String

    /// The files in any order; their order never changes the result.
    package let files: [SourceFile]

    package init(folder: String, label: String, files: [SourceFile]) {
        self.folder = folder
        self.label = label
        self.files = files
    }

    /// The name of the file that holds the policy.
    package static let policyFileName = "workspace.json"

    /// The ending of the name of every file that is compiled.
    package static let suffix = ".json"

    /// The path of one of its files, as findings name it.
    package func path(of fileName: String) -> String {
        label.isEmpty ? fileName : "\(label)/\(fileName)"
    }
}
