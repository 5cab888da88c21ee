import CommandLineKit
import GronaFormats
import PublishProtocol
import Publishing

/// The words for what a key signed that devices are not to trust any more.
enum UntrustedKeyWording {
    static let code = "served.untrusted-key"

    /// For a copy that is ours, by the ledger.
    static func message(_ key: UntrustedKey, version: Int64?) -> String {
        "version \(version.map { String($0) } ?? "?"), which is served, is signed by \(key.kid),"
            + " which is \(key.state.rawValue): devices that pin it still take it, and others do not"
    }

    static func help(_ workspace: WorkspaceName) -> String {
        "'grona-publish refresh \(workspace)' has it signed by the current key"
    }

    static func diagnostic(
        _ document: JudgedDocument, _ workspace: WorkspaceName, file: String?
    ) -> Diagnostic? {
        guard let key = document.untrusted, document.facts != nil else { return nil }
        return .warning(
            code: code, message: message(key, version: document.facts?.version), file: file,
            help: help(workspace))
    }

    /// What is not ours is told by the key, where that is one of ours.
    static func notOurs(_ key: UntrustedKey) -> String {
        "it is signed by \(key.kid), which is \(key.state.rawValue), and the ledger never saw it:"
            + " devices that pin that key take it all the same"
    }

    /// A signer refuses what a compromised key signed and it did not: the way on is back.
    static func failure(
        _ failure: Failure, _ report: PublishReport, _ workspace: WorkspaceName
    ) -> Failure {
        guard report.failure?.isOfCompromisedKey ?? false else { return failure }
        var failure = failure
        failure.reason.help =
            report.older.map {
                "somebody else may have the key: 'grona-publish rollback \(workspace) --to-version"
                    + " \($0)' goes back to older content, signed by the current key, where our"
                    + " signer signed that; 'grona-publish history \(workspace)' has more"
            } ?? "sign the content anew with 'grona-sign config', and push it"
        return failure
    }
}
