import CommandLineKit
import GronaFormats

/// The words for a ledger that knows nothing of workspaces that have a past.
enum LedgerWording {
    static let empty = "ledger.empty"

    static let help =
        "put the ledger's folder back from a back-up, or name the ledger that was used before"
        + " (--ledger); where there is none, 'grona-publish doctor --accept-ledger' takes it as it is:"
        + " until then, a store that was set back cannot be told"

    static let message =
        "the ledger knows nothing of this workspace, and the store has a past of it"

    /// Once for a run.
    static func warning(_ workspaces: [WorkspaceName], store: String) -> Diagnostic? {
        guard let first = workspaces.first else { return nil }
        let rest = workspaces.count - 1
        return .warning(
            code: empty,
            message: "the ledger knows nothing of \(first)"
                + (rest > 0 ? " and \(rest) more, of which" : ", of which")
                + " the store has a past",
            file: store, help: help)
    }
}
