import DeviceModel
import GronaFormats
import PublishProtocol
import Synchronization

/// Tells of a content whether a ledger knows it: seen served, published or released by us.
///
/// The ledger is read when it is asked for the first time, so a look at many workspaces whose keys
/// are all trusted asks nothing.
final class LedgerWitness: Sendable {
    private let ledger: any PublicationLedger
    private let workspace: WorkspaceName
    private let view = Mutex<LedgerView?>(nil)

    init(_ ledger: any PublicationLedger, of workspace: WorkspaceName) {
        self.ledger = ledger
        self.workspace = workspace
    }

    /// A ledger that cannot be read knows nothing; whoever goes by it says why.
    func knows(_ facts: DocumentFacts, _ channel: Channel) -> Bool {
        let view = view.withLock { view in
            if view == nil { view = try? ledger.view(of: workspace) }
            return view
        }
        guard let view else { return false }
        return switch channel {
        case .bundle: view.bundles.contains(facts.payload)
        case .remote: view.payloads[facts.version]?.contains(facts.payload) ?? false
        }
    }
}

extension DocumentJudge {
    /// The same judge, for which a ledger vouches.
    package func vouched(by ledger: any PublicationLedger) -> DocumentJudge {
        guard vouching == nil else { return self }
        let witness = LedgerWitness(ledger, of: workspace)
        var judge = self
        judge.vouching = { witness.knows($0, $1) }
        return judge
    }
}
