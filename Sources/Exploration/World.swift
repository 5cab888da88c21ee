import PublishProtocol

/// Everything outside the publishers: the store, its second region, the ledger, writes that are
/// still on their way, and what an observer remembers.
struct World: Sendable {
    var primary: Region
    /// An asynchronous second region: reads of some go there, writes never do.
    var replica: Region?
    var ledger = LedgerSummary()
    /// Writes whose answer was lost and which the store may still carry out.
    var late: [StoreRequest] = []
    /// What may still go wrong.
    var budget: Budget
    var wasRestored = false
    /// Somebody else wrote into the store.
    var wasTampered = false
    /// Everything signed so far has expired.
    var isExpired = false
    /// The highest number that the signer signed, and below which it signs nothing anew.
    var floor: Int64 = 0
    /// Who holds the lock of a protocol that has one.
    var lock: Int?

    /// What was ever served under each number, as devices saw it.
    var everServed: [DocumentFacts] = []
    /// Contents that were made of an older one than the ledger had seen served.
    var stale: [ContentDigest] = []
    /// The next content or signature that nobody has made yet; no part of the state.
    var fresh: UInt64 = 1_000

    /// How often each kind of trouble may still come.
    package struct Budget: Sendable, Hashable {
        package var crashes = 0
        package var losses = 0
        package var restores = 0
        package var failures = 0
        /// Writes by a stranger.
        package var hands = 0
        package var expiries = 0

        package init(
            crashes: Int = 0, losses: Int = 0, restores: Int = 0, failures: Int = 0,
            hands: Int = 0, expiries: Int = 0
        ) {
            self.crashes = crashes
            self.losses = losses
            self.restores = restores
            self.failures = failures
            self.hands = hands
            self.expiries = expiries
        }
    }

    /// The code of what no device takes any more.
    var defect: String? { isExpired ? "payload.expired" : nil }

    /// A workspace that serves a first version, which its ledger knows.
    init(serving first: DocumentFacts?, budget: Budget, hasReplica: Bool = false) {
        primary = Region()
        self.budget = budget
        if let first {
            primary.served = .genuine(first, defect: nil)
            primary.put(claim: .genuine(first, defect: nil), first)
            everServed = [first]
            ledger.add(.claimed(first, .absent))
            ledger.add(.swapped(first, .published))
        }
        if hasReplica { replica = primary }
    }

    /// The region that somebody reads.
    func region(ofReplica readsReplica: Bool) -> Region {
        readsReplica ? replica ?? primary : primary
    }

    func served(under version: Int64) -> DocumentFacts? {
        everServed.first { $0.version == version }
    }

    mutating func remember(_ document: DocumentFacts) {
        guard served(under: document.version) == nil else { return }
        let index =
            everServed.firstIndex { $0.version > document.version } ?? everServed.endIndex
        everServed.insert(document, at: index)
    }

    mutating func write(_ record: LedgerRecord) -> LedgerAnswer {
        if case .claimed(let document, _) = record, ledger.conflicts(with: document) {
            return .conflict
        }
        ledger.add(record)
        return .written
    }

    mutating func signed(_ version: Int64) -> DocumentFacts {
        fresh += 1
        return Documents.document(version, content: fresh)
    }
}
