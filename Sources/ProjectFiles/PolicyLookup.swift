internal import CampaignCompiler
package import GronaFormats
package import LinuxIO

/// A workspace's policy as both programs read it.
package struct PolicyLookup: Sendable {
    /// Declared, or that of a production workspace where no file is.
    package let policy: WorkspacePolicy

    /// The file that was looked for, whether or not it is there.
    package let path: FilePath

    /// Reads `<campaigns>/<workspace>/workspace.json`.
    ///
    /// - Throws: `.policy` with the findings when it breaks a rule: a policy that cannot be read
    ///   never falls back to another one.
    package static func find(
        _ workspace: WorkspaceName, below campaigns: FilePath
    ) throws(ProjectFileError) -> PolicyLookup {
        let folder = campaigns.appending(workspace.text)
        let path = folder.appending(WorkspaceSource.policyFileName)
        let bytes: [UInt8]
        do {
            bytes = try readFile(
                path, limit: Limits.Reader.campaignFile, links: .refuse, pipes: .refuse)
        } catch {
            guard error.isNotFound else { throw .file(error) }
            return PolicyLookup(policy: .undeclared(workspace), path: path)
        }
        let file = SourceFile(name: WorkspaceSource.policyFileName, bytes: bytes)
        let check = CampaignCompiler.policy(
            WorkspaceSource(folder: workspace.text, label: folder.description, files: [file]))
        guard let policy = check.policy else { throw .policy(path, check.findings) }
        return PolicyLookup(policy: policy, path: path)
    }
}
