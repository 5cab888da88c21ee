import CampaignCompiler
import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles

/// A campaign folder that was linted and compiles.
enum WorkspaceInput {
    /// Reads and checks a folder; warnings are told, errors end the command.
    static func read(
        _ folder: FilePath, _ context: CommandContext
    ) throws(Failure) -> CheckedWorkspace {
        let source = try worded(Failure.init) { () throws(ProjectFileError) in
            try CampaignFolder.read(folder)
        }
        let lint = CampaignCompiler.check(source, strict: try context.isStrict())
        let errors = lint.findings.filter { $0.severity == .error }
        if let first = errors.first {
            throw Failure(
                Diagnostic(first, exit: .refused),
                others: errors.dropFirst().map { Diagnostic($0, exit: .refused) })
        }
        for warning in lint.findings {
            context.console.report(Diagnostic(warning, exit: .success))
        }
        guard let workspace = lint.workspace else {
            throw context.call.usage("campaigns", "\(folder) holds nothing to sign")
        }
        try requireMeant(workspace.policy.workspace, folder, context)
        return workspace
    }

    /// A folder of another workspace than `--workspace` names is not what was meant.
    private static func requireMeant(
        _ found: WorkspaceName, _ folder: FilePath, _ context: CommandContext
    ) throws(Failure) {
        guard let meant = try context.workspace(), meant != found else { return }
        throw Failure(
            .usage(
                "workspace", "\(folder) is the workspace \(found), and --workspace is \(meant)",
                help: "leave --workspace out; 'grona-sign settings' shows where it comes from"))
    }

    /// Whether a path is a folder, and so campaigns rather than an envelope.
    static func isFolder(_ path: FilePath) -> Bool {
        (try? FileSystem.status(of: path))?.kind == .folder
    }
}
