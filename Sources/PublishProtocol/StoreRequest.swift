/// What a publisher asks of the world next; it does one of these at a time.
package enum StoreRequest: Hashable, Sendable {
    /// Read the config with its entity tag. Answer: `.served`.
    case readServed
    /// List bundles, and claims down to a genuine one that is not above the number. Answer:
    /// `.history`.
    case readHistory(downTo: Int64)
    /// Read the ledger's lines about the workspace. Answer: `.ledger`.
    case readLedger
    /// Compare the document with what is served. Answer: `.judged`.
    case judge(Publication.Base)
    /// Have the signer make a document of this one. Answer: `.signed`, `.nothingToDo`
    /// or `.outdated`.
    case sign(of: DocumentFacts, version: Int64)
    /// Write a ledger line and have it on disk. Answer: `.recorded`.
    case record(LedgerRecord)
    /// Create `versions/<version>`, only if it is not there. Answer: `.wrote`.
    case claim(DocumentFacts)
    /// Read `versions/<version>`. Answer: `.found`.
    case readClaim(Int64)
    /// Replace the config under a condition. Answer: `.wrote`.
    case swap(DocumentFacts, SwapCondition)
    /// Create `bundles/<version>-<digest>`, only if it is not there. Answer: `.wrote`.
    case putBundle(DocumentFacts)
    /// Read that bundle. Answer: `.found`.
    case readBundle(DocumentFacts)

    /// Whether it changes something outside the process.
    package var isWrite: Bool {
        switch self {
        case .record, .claim, .swap, .putBundle: true
        case .readServed, .readHistory, .readLedger, .judge, .sign, .readClaim, .readBundle: false
        }
    }
}

/// The condition that the store itself must hold at the instant it writes.
package enum SwapCondition: Hashable, Sendable {
    /// `If-None-Match: *` (RFC 9110 13.1.2).
    case absent
    /// `If-Match` with the tag that was read (RFC 9110 13.1.1).
    case matches(EntityTag)

    package init(base: ServedReading) {
        switch base {
        case .absent: self = .absent
        case .present(_, let tag): self = .matches(tag)
        }
    }
}

/// What a write answered.
package enum WriteAnswer: Hashable, Sendable {
    /// The store holds it.
    case done
    /// The condition did not hold: somebody else was there before.
    case lost
    /// A time-out, a reset, 409, 5xx, a 412 on a retry: only reading back can tell.
    case notKnown
}

/// What came of a ledger line.
package enum LedgerAnswer: Hashable, Sendable {
    case written
    /// The ledger already has another payload under the number that was to be claimed.
    case conflict
}

/// The answer to a request.
package enum StoreEvent: Hashable, Sendable {
    case served(ServedReading)
    case history(History)
    case ledger(LedgerView)
    case judged([Refusal])
    case signed(DocumentFacts, [Refusal])
    case nothingToDo
    /// The signer has signed something newer than what it was to sign from.
    case outdated
    case recorded(LedgerAnswer)
    case wrote(WriteAnswer)
    case found(FoundDocument?)
    /// The request could not be carried out, and nothing was changed by it.
    case failed
}

/// What a machine does next.
package enum Step: Hashable, Sendable {
    case request(StoreRequest)
    case verdict(Verdict)
}
