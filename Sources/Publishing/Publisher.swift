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
    /// Told where a ledger knows nothing of a workspace in whose store versions above the first
    /// stand, or of which something lies beside it that was seen served; with the highest one.
    /// Answers whether that ends the run.
    package var onEmptyLedger: (@Sendable (Int64) -> Bool)?
    /// Where envelopes are kept until they are served; nil where none are.
    package var staged: StagedEnvelopes?

    package init(
        store: any PublicationStore, ledger: any PublicationLedger, judge: DocumentJudge,
        user: String, isRehearsal: Bool = false
    ) {
        self.store = store
        self.ledger = ledger
        self.judge = judge.vouched(by: ledger)
        self.user = user
        self.isRehearsal = isRehearsal
    }

    var history: HistoryReader { HistoryReader(store: store, judge: judge) }

    /// What a ledger that went back tells, with the envelopes beside it: each was seen served.
    func completed(_ view: LedgerView) -> LedgerView {
        var summary = LedgerSummary(view)
        let kept = (try? ledger.keptEnvelopes()) ?? []
        let seen = kept.compactMap { judge.judge($0).facts }.sorted { $0.version < $1.version }
        for facts in seen where view.payloads[facts.version]?.contains(facts.payload) != true {
            summary.add(.observed(facts))
        }
        return summary.view
    }

    /// Reads what the store serves.
    package func served() throws(StoreError) -> (reading: ServedReading, document: JudgedDocument?)
    {
        guard let object = try store.read(.config(judge.workspace)) else { return (.absent, nil) }
        let document = judge.judge(object)
        return (.present(document.found, tag: object.tag), document)
    }

    /// Puts a refusal on record that came before, or instead of, a run of the protocol.
    package func record(
        refusal code: String, of facts: DocumentFacts?
    ) throws(PublishingError) {
        var entry = LedgerEntry(
            workspace: judge.workspace, record: .refused(facts, code: code), time: judge.now,
            user: user)
        entry.isRehearsal = isRehearsal
        do { _ = try ledger.append(entry) } catch { throw .ledger(error) }
    }

    /// Everything that is known about the workspace, without changing anything.
    package func survey() throws(PublishingError) -> Survey {
        do {
            var (reading, document) = try served()
            let history = try history.history(downTo: reading.version ?? 0)
            let ledger: LedgerView
            do { ledger = try self.ledger.view(of: judge.workspace) } catch {
                throw PublishingError.ledger(error)
            }
            var base = Publication.Base(served: reading, history: history, ledger: ledger)
            if base.isRolledBack {
                // Another publisher may have been at work since it was read.
                (reading, document) = try served()
                base = Publication.Base(served: reading, history: history, ledger: ledger)
            }
            return Survey(base: base, document: document)
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
    package let base: Publication.Base
    /// What is served; nil where nothing is.
    package let document: JudgedDocument?

    package var reading: ServedReading { base.served }
    package var marks: Marks { base.marks }

    /// What an operator must see.
    ///
    /// - Parameter isServed: whether the workspace has a config URL.
    package func alarms(isServed: Bool = true) -> [Alarm] {
        Publisher.sorted(base.alarms(isServed: isServed))
    }
}
