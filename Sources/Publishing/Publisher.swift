import GronaFormats
package import PublishProtocol
import StrictJSON

/// Drives the publish protocol over a store, a ledger and a signer.
package struct Publisher: Sendable {
    package let store: any PublicationStore
    package let ledger: any PublicationLedger
    package let judge: DocumentJudge
    /// Who publishes, for the ledger.
    package let user: String
    /// Marks the lines of the ledger.
    package let isRehearsal: Bool
    /// Called before each request is carried out; a test stops or ends a publisher there.
    package var beforeEach: (@Sendable (StoreRequest) -> Void)?

    package init(
        store: any PublicationStore, ledger: any PublicationLedger, judge: DocumentJudge,
        user: String, isRehearsal: Bool = false
    ) {
        self.store = store
        self.ledger = ledger
        self.judge = judge
        self.user = user
        self.isRehearsal = isRehearsal
    }

    var history: HistoryReader { HistoryReader(store: store, judge: judge) }

    /// Reads what the store serves.
    package func served() throws(StoreError) -> (reading: ServedReading, document: JudgedDocument?)
    {
        guard let object = try store.read(.config(judge.workspace)) else { return (.absent, nil) }
        let document = judge.judge(object)
        return (.present(document.found, tag: object.tag), document)
    }

    /// Everything that is known about the workspace, without changing anything.
    package func survey() throws(PublishingError) -> Survey {
        do {
            let (reading, document) = try served()
            let history = try history.history()
            let ledger: LedgerView
            do { ledger = try self.ledger.view(of: judge.workspace) } catch {
                throw PublishingError.ledger(error)
            }
            return Survey(
                reading: reading, document: document, history: history, ledger: ledger)
        } catch let error as StoreError {
            throw .store(error)
        } catch let error as PublishingError {
            throw error
        } catch {
            throw .store(.unknownKind(store.name))
        }
    }
}

/// What a store and its ledger show of a workspace.
package struct Survey: Sendable {
    package let reading: ServedReading
    /// What is served; nil where nothing is.
    package let document: JudgedDocument?
    package let history: History
    package let ledger: LedgerView

    package var marks: Marks { Marks(served: reading, history: history, ledger: ledger) }

    /// What an operator must see.
    package var alarms: [Alarm] {
        var alarms: [Alarm] = []
        switch reading {
        case .present(.junk(_, let code), _), .present(.genuine(_, .some(let code)), _):
            alarms.append(.servedUnusable(code: code))
        case .present(.genuine(_, nil), _), .absent:
            break
        }
        if marks.isRolledBack(reading) {
            alarms.append(.rolledBack(served: reading.version, mark: marks.served))
        }
        alarms += history.junkClaims.map { .junkClaim($0) }
        alarms += history.junkBundles.map { .junkBundle($0) }
        return alarms
    }
}
