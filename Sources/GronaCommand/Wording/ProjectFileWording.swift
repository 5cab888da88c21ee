import CampaignCompiler
package import CommandLineKit
import GronaFormats
import LinuxIO
package import ProjectFiles

extension Failure {
    /// A project's file that cannot be used.
    package init(_ error: ProjectFileError) {
        let diagnostics = ProjectFileWording.diagnostics(error)
        self.init(diagnostics.reason, others: diagnostics.others)
    }
}

/// The words for what is wrong with campaigns, keyrings and pins on disk.
private enum ProjectFileWording {
    static func diagnostics(_ error: ProjectFileError) -> (reason: Diagnostic, others: [Diagnostic])
    {
        switch error {
        case .file(let error): (Failure(reading: error).reason, [])
        case .notAFolder(let path, let kind):
            one("input.not-a-folder", "\(FileWords.name(kind)), not a folder", path, .noInput)
        case .noWorkspace(let path):
            one(
                "input.no-workspace", "no workspace: there is no workspace.json in it", path,
                .noInput)
        case .noWorkspaces(let path):
            one(
                "input.no-workspace", "no folder in it has a workspace.json", path, .noInput,
                help: "'grona-sign init WORKSPACE' makes one")
        case .policy(_, let findings): policy(findings)
        case .noKeyring(let path):
            one(
                RuleCode.keyringMissing.rawValue, "there is no keyring", path, .configuration,
                help: "'grona-sign keys generate' makes one; --keys DIR says where they are")
        case .malformed(let path, let error):
            (Diagnostic(error, file: path.description), [])
        case .keyringWorkspace(let path, let found, let folder):
            one(
                RuleCode.keyringWorkspace.rawValue,
                "for the workspace \"\(found)\", in the folder \"\(folder)\"", path, .configuration)
        case .publicKey(let path, let kid, let error):
            one(
                RuleCode.keyMalformed.rawValue, "\(kid): \(PublicKeyWording.message(error))", path,
                .configuration, help: PublicKeyWording.help(error))
        case .thumbprint(let path, let kid, let recorded, let actual):
            one(
                RuleCode.keyMismatch.rawValue,
                "\(kid): the thumbprint on record is \(recorded), that of its key \(actual)", path,
                .configuration)
        case .bindings(let conflicts): bindings(conflicts)
        case .keyringMoved(let path, _, _):
            one(
                RuleCode.keyringChanged.rawValue, "it was changed while this command ran", path,
                .tryAgain)
        }
    }

    private static func one(
        _ code: String, _ message: String, _ path: FilePath, _ exit: ExitStatus,
        help: String? = nil
    ) -> (Diagnostic, [Diagnostic]) {
        let diagnostic = Diagnostic(
            code: code, message: message, file: path.description, help: help, exit: exit)
        return (diagnostic, [])
    }

    private static func policy(_ findings: [Finding]) -> (Diagnostic, [Diagnostic]) {
        let errors = findings.filter { $0.severity == .error }.map { finding in
            Diagnostic(finding, exit: .configuration)
        }
        guard let first = errors.first else {
            let diagnostic = Diagnostic(
                code: "workspace.form", message: "the policy cannot be read", exit: .configuration)
            return (diagnostic, [])
        }
        return (first, Array(errors.dropFirst()))
    }

    private static func bindings(_ conflicts: [BindingConflict]) -> (Diagnostic, [Diagnostic]) {
        let all = conflicts.map { conflict in
            let (first, second) = (conflict.first, conflict.second)
            let message =
                switch conflict.kind {
                case .kidForTwoKeys: "\(second.kid) is the kid of another key in \(first.file)"
                case .keyUnderTwoKids:
                    "\(second.kid) is the key that \(first.file) has as \(first.kid)"
                case .keyForBothUses:
                    "\(second.kid) is the key that \(first.file) has for the other use as"
                        + " \(first.kid)"
                }
            return Diagnostic(
                code: RuleCode.keyBinding.rawValue, message: message,
                file: second.file.description,
                help: "a kid is bound for ever to one key of one use",
                exit: .configuration)
        }
        guard let first = all.first else {
            let diagnostic = Diagnostic(
                code: RuleCode.keyBinding.rawValue,
                message: "kids and keys are not bound one to one",
                exit: .configuration)
            return (diagnostic, [])
        }
        return (first, Array(all.dropFirst()))
    }
}
