import PublishProtocol

/// A store, its ledger and what has happened so far, as a value: small enough to search.
struct ModelWorld: Hashable {
    var served: DocumentFacts?
    var claims: [Int64: DocumentFacts] = [:]
    var bundles: Set<DocumentFacts> = []
    var ledger: Set<LedgerRecord> = []
    /// Writes whose answer was lost and which the store may still carry out.
    var delayed: Set<StoreRequest> = []

    // What an observer remembers.
    var everServed: [Int64: ContentDigest] = [:]

    /// What is wrong with the world under test on purpose.
    var mutant: Mutant?

    enum Mutant {
        /// The store takes every swap, whatever the condition.
        case blindPut
        /// Two claims of one number are both taken.
        case claimsOverwrite
        /// A lost claim goes on with the bytes of the loser.
        case lostClaimGoesOn
        /// Marks come from the store alone.
        case noLedger
    }

    static func tag(_ document: DocumentFacts) -> EntityTag { EntityTag(document.envelope.hex) }

    var reading: ServedReading {
        guard let served else { return .absent }
        return .present(.genuine(served, defect: nil), tag: Self.tag(served))
    }

    /// Claims down to one that is not above the floor, as the store's reader lists them.
    func history(downTo floor: Int64) -> History {
        let all = claims.values.sorted { $0.version < $1.version }
        let first = all.last { $0.version <= floor }?.version ?? 0
        let highest = bundles.map(\.version).max()
        return History(
            claims: all.filter { $0.version >= first }, highestBundle: highest,
            highestBundlePayloads: Set(
                bundles.filter { $0.version == highest }.map(\.payload)))
    }

    var ledgerView: LedgerView {
        guard mutant != .noLedger else { return LedgerView() }
        var view = LedgerView()
        func line(_ document: DocumentFacts) {
            view.payloads[document.version, default: []].insert(document.payload)
            if document.version > view.highestClaim ?? 0 {
                view.highestClaim = document.version
                view.highestClaimPayloads = []
            }
            if document.version == view.highestClaim {
                view.highestClaimPayloads.insert(document.payload)
            }
        }
        func seen(_ document: DocumentFacts) {
            line(document)
            if document.version > view.highestServed ?? 0 {
                view.highestServed = document.version
                view.lastServed = document.payload
            }
        }
        for record in ledger {
            switch record {
            case .observed(let document), .swapped(let document, .published): seen(document)
            case .claimed(let document, _), .swapped(let document, _): line(document)
            case .bundled(let document):
                view.bundles.insert(document.payload)
                if document.version > view.highestBundle ?? 0 {
                    view.highestBundle = document.version
                    view.highestBundlePayloads = []
                }
                if document.version == view.highestBundle {
                    view.highestBundlePayloads.insert(document.payload)
                }
            case .refused: break
            }
        }
        return view
    }

    /// Carries a request out; `signer` tells authors apart.
    mutating func carryOut(_ request: StoreRequest, signer: Int) -> StoreEvent {
        switch request {
        case .readServed: return .served(reading)
        case .readHistory(let floor): return .history(history(downTo: floor))
        case .readLedger: return .ledger(ledgerView)
        case .judge: return .judged([])
        case .sign(_, let version):
            return .signed(Self.document(version, author: signer), [])
        case .record(let record): return .recorded(write(record))
        case .claim, .swap, .putBundle: return .wrote(apply(request))
        case .readClaim(let version):
            if mutant == .lostClaimGoesOn, claims[version] != nil { return .found(nil) }
            return .found(claims[version].map { .genuine($0, defect: nil) })
        case .readBundle(let document):
            return .found(bundles.contains(document) ? .genuine(document, defect: nil) : nil)
        }
    }

    static func document(_ version: Int64, author: Int) -> DocumentFacts {
        let digest = ContentDigest(number: UInt64(version) * 1_000 + UInt64(author))
        return DocumentFacts(version: version, payload: digest, envelope: digest)
    }

    private mutating func write(_ record: LedgerRecord) -> LedgerAnswer {
        if case .claimed(let document, _) = record, mutant != .noLedger {
            for case .claimed(let other, _) in ledger
            where other.version == document.version && other.payload != document.payload {
                return .conflict
            }
        }
        ledger.insert(record)
        return .written
    }

    /// What the store does with a write at the instant it carries it out.
    mutating func apply(_ request: StoreRequest) -> WriteAnswer {
        switch request {
        case .claim(let document):
            if mutant == .lostClaimGoesOn, claims[document.version] != nil { return .done }
            guard claims[document.version] == nil || mutant == .claimsOverwrite else {
                return .lost
            }
            claims[document.version] = document
            return .done
        case .swap(let document, let condition):
            guard mutant == .blindPut || SwapCondition(base: reading) == condition else {
                return .lost
            }
            served = document
            return .done
        case .putBundle(let document):
            guard !bundles.contains(document) else { return .lost }
            bundles.insert(document)
            return .done
        default:
            return .notKnown
        }
    }
}
