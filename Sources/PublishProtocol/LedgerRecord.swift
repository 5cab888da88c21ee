/// One line of the ledger, as far as the protocol goes by it.
package enum LedgerRecord: Hashable, Sendable {
    /// This document was found served.
    case observed(DocumentFacts)
    /// The number is this payload's; written before the swap is sent. Refused (`conflict`) where
    /// the ledger has another payload under the number.
    case claimed(DocumentFacts, SwapCondition)
    /// The swap was sent and this is what reading back showed.
    case swapped(DocumentFacts, SwapResult)
    /// A bundle is about to be given out; written before it is.
    case bundled(DocumentFacts)
    /// Nothing was published, for this reason.
    case refused(DocumentFacts?, code: String)
}

package enum SwapResult: String, Hashable, Sendable {
    case published
    case superseded
    case lost
}

extension LedgerRecord {
    /// The line about how a run ended; nil where it changed nothing and refused nothing.
    package init?(verdict: Verdict, document: DocumentFacts?) {
        switch verdict {
        case .published(let facts): self = .swapped(facts, .published)
        case .superseded(let facts, _): self = .swapped(facts, .superseded)
        case .lost(let facts?, _): self = .swapped(facts, .lost)
        case .taken(let facts): self = .refused(facts, code: "version.taken")
        case .refused(let refusals):
            guard let first = refusals.first else { return nil }
            self = .refused(document, code: first.code)
        case .broken(let breach): self = .refused(document, code: breach.code)
        case .unchanged, .released, .wouldPublish, .lost(nil, _), .unsettled, .failed: return nil
        }
    }
}
