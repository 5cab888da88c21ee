import CommandLineKit
import GronaCommand
import GronaFormats
import GronaVerification
import LinuxIO
import ProjectFiles

/// Whom `verify` trusts: a pins file, one workspace's keyring, or the keyring that has the kid.
struct VerifyTrust {
    let context: CommandContext

    /// - Parameter kid: what the document's header names, nil where there is none.
    func keys(for kid: String?) throws(Failure) -> TrustedKeys {
        let workspace = try context.workspace()
        if let path = try context.pins() {
            return try trusted(
                try read { () throws(ProjectFileError) in
                    try PinsOnDisk.read(path, for: workspace)
                })
        }
        let folder = try context.keys()
        if let workspace {
            return try trusted(
                try read { () throws(ProjectFileError) in
                    try KeyringFile.read(workspace, below: folder)
                })
        }
        // Without a kid nothing is verified, whoever is trusted.
        guard let kid = kid.flatMap(KeyID.init(_:)) else { return TrustedKeys() }
        let files = try read { () throws(ProjectFileError) in
            try KeyringFiles.read(below: folder)
        }
        for failure in files.failures { warn(Failure(failure.error)) }
        guard let first = files.having(kid).first else { return TrustedKeys() }
        // Refused where the kid has a second owner: then nobody can say whose it is.
        return try trusted(
            try read { () throws(ProjectFileError) in
                try files.usable(first.keyring.workspace, below: folder)
            })
    }

    private func read<Value>(
        _ body: () throws(ProjectFileError) -> Value
    ) throws(Failure) -> Value {
        do throws(ProjectFileError) {
            return try body()
        } catch {
            throw Failure(error)
        }
    }

    private func trusted(_ file: KeyringFile) throws(Failure) -> TrustedKeys {
        try Ownership.warn(about: file.path, on: context.console)
        do throws(TrustError) {
            return try TrustedKeys(keyrings: [file.keyring])
        } catch {
            throw failure(error, file.path)
        }
    }

    private func trusted(_ file: PinsOnDisk) throws(Failure) -> TrustedKeys {
        do throws(TrustError) {
            return try TrustedKeys(pins: file.pins)
        } catch {
            throw failure(error, file.path)
        }
    }

    private func failure(_ error: TrustError, _ path: FilePath) -> Failure {
        let message =
            switch error {
            case .publicKey(let kid, let reason): "\(kid): \(PublicKeyWording.message(reason))"
            case .thumbprint(let kid, workspace: _): "\(kid): the thumbprint is not that of its key"
            case .kidTwice(let kid): "the kid \(kid) stands here twice"
            case .keyTwice(let first, let second): "\(first) and \(second) are one key"
            }
        return Failure(
            Diagnostic(
                code: error.code.rawValue, message: message, file: path.description,
                exit: .configuration))
    }

    private func warn(_ failure: Failure) {
        var diagnostic = failure.reason
        diagnostic.severity = .warning
        context.console.report(diagnostic)
    }
}
