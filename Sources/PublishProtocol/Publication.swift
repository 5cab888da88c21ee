/// One publisher at work on one workspace: from reading what is served to reading it back.
///
/// Pure: an event goes in, the next request or the verdict comes out. It holds no bytes and no
/// clock, so a search over all interleavings runs this very code.
///
/// ```
/// read → check → claim → record → swap → read back → record
/// ```
///
/// A push publishes one finished document and never takes another base: it was written against
/// what was served. A re-basing run has the document made on the base that it read and begins
/// again when it loses a claim or a swap, at most ``maximumTries`` times.
package struct Publication: Hashable, Sendable {
    /// How often a re-basing run begins at "read", the first time included.
    package static let maximumTries = 5
    /// How often a write is sent whose answer was not known and which reading back did not find.
    package static let maximumSends = 3

    package let plan: Plan
    package private(set) var alarms: Set<Alarm> = []
    package private(set) var phase: Phase = .start
    package private(set) var reading = BaseReading()
    /// How often the run began at "read".
    package private(set) var tries = 1
    /// How often the current write was sent.
    package private(set) var sends = 0
    /// Whether a swap was sent that was not known to be lost.
    package private(set) var hasSwapped = false
    /// What is to be published; nil until it is made.
    package private(set) var document: DocumentFacts?

    package init(_ plan: Plan) {
        self.plan = plan
        if case .push(let document, _) = plan.kind { self.document = document }
    }

    /// What is to be published, and how far the run may go.
    package struct Plan: Hashable, Sendable {
        package var kind: Kind
        /// Ends before the first write.
        package var isDryRun: Bool
        /// The highest number that a person allowed what is signed on the base to have, however far
        /// above the mark it is; nil where nobody did.
        package var allowedNumber: Int64?

        package init(_ kind: Kind, isDryRun: Bool = false, allowedNumber: Int64? = nil) {
            self.kind = kind
            self.isDryRun = isDryRun
            self.allowedNumber = allowedNumber
        }

        package enum Kind: Hashable, Sendable {
            /// A finished document, and the number a person allowed to be far above the mark.
            case push(DocumentFacts, Expectations)
            /// A document that the signer makes on whatever is served.
            case rebasing
            /// A document that the signer makes of this one, since nothing that devices take is
            /// served. Who chose it knew of the numbers up to `known` that they had been served.
            case recovering(DocumentFacts, known: Int64)
        }
    }

    /// What the caller of a push said beforehand.
    package struct Expectations: Hashable, Sendable {
        /// The version that is to be served now; 0 for none.
        package var servedVersion: Int64?
        /// The number that may be more than 1,000 above the mark.
        package var allowedJump: Int64?

        package init(servedVersion: Int64? = nil, allowedJump: Int64? = nil) {
            self.servedVersion = servedVersion
            self.allowedJump = allowedJump
        }
    }

    /// Everything that was learned about the base of the current try.
    package var base: Base { reading.base }

    package enum Phase: Hashable, Sendable {
        case start
        case reading, observing, judging, signing
        case claiming, readingClaim, recordingClaim
        case swapping(SwapCondition)
        case readingBack(SwapCondition, WriteAnswer)
        case readingLedgerBack(DocumentFacts)
        case recording(Verdict)
        case ended(Verdict)
    }

    /// The first request.
    package mutating func begin() -> Step {
        go(to: .reading)
    }

    /// Takes the answer to the last request.
    package mutating func handle(_ event: StoreEvent) -> Step {
        if case .failed = event, let request = pending {
            return end(.failed(request, mayBePublished: hasSwapped))
        }
        switch (phase, event) {
        case (.reading, _):
            reading.handle(event)
            return reading.isComplete ? checkBase() : go(to: .reading)
        case (.observing, .recorded(_)):
            return proceedFromBase()
        case (.judging, .judged(let refusals)):
            return judged(refusals)
        case (.signing, .signed(let document, let refusals)):
            self.document = document
            return judged(versionRefusals(of: document) + refusals)
        case (.signing, .outdated):
            guard !mayBeginAgain, let request = pending else { return again() }
            return end(.failed(request, mayBePublished: hasSwapped))
        case (.signing, .nothingToDo):
            return nothingToDo()
        case (.claiming, .wrote(let answer)):
            return claimed(answer)
        case (.readingClaim, .found(let found)):
            return claimRead(found)
        case (.recordingClaim, .recorded(let answer)):
            return recordedClaim(answer)
        case (.swapping(let condition), .wrote(let answer)):
            hasSwapped = hasSwapped || answer != .lost
            phase = .readingBack(condition, answer)
            return .request(.readServed)
        case (.readingBack(let condition, let answer), .served(let reading)):
            return readBack(reading, condition, answer)
        case (.readingLedgerBack(let facts), .ledger(let ledger)):
            return ledgerReadBack(ledger, facts)
        case (.recording(let verdict), .recorded(_)):
            return end(verdict)
        case (.ended(let verdict), _):
            return .verdict(verdict)
        default:
            return pending.map { .request($0) } ?? begin()
        }
    }

    /// The request whose answer is awaited.
    package var pending: StoreRequest? {
        switch phase {
        case .start, .ended: nil
        case .reading: reading.pending
        case .readingBack: .readServed
        case .readingLedgerBack: .readLedger
        case .observing: base.served.genuineFacts.map { .record(.observed($0)) }
        case .judging: .judge(base)
        case .signing:
            if let facts = source, let version = base.marks.nextVersion {
                .sign(of: facts, version: version)
            } else {
                nil
            }
        case .claiming: document.map { .claim($0) }
        case .readingClaim: document.map { .readClaim($0.version) }
        case .recordingClaim:
            document.map { .record(.claimed($0, SwapCondition(base: base.served))) }
        case .swapping(let condition): document.map { .swap($0, condition) }
        case .recording(let verdict):
            LedgerRecord(verdict: verdict, document: document).map { .record($0) }
        }
    }
}

// MARK: - Check

extension Publication {
    private mutating func checkBase() -> Step {
        alarms.formUnion(base.alarms())
        if let facts = base.served.genuineFacts, facts.payload != base.ledger.lastServed,
            base.otherContent == nil, !plan.isDryRun
        {
            return go(to: .observing)
        }
        return proceedFromBase()
    }

    private mutating func proceedFromBase() -> Step {
        switch plan.kind {
        case .push(let document, let expectations):
            if case .present(.genuine(let facts, nil), _) = base.served,
                facts.payload == document.payload
            {
                if base.otherContent != nil { return refuse([.otherContent(facts.version)]) }
                return end(.unchanged(facts))
            }
            let served = base.served.version
            if let expected = expectations.servedVersion, expected != served ?? 0 {
                return end(.refused([.unexpectedServed(expected: expected, served: served)]))
            }
            if base.served.defect == FoundDocument.notAFile { return refuse([.notAFile]) }
            return go(to: .judging)
        case .rebasing, .recovering:
            if case .recovering(_, let known) = plan.kind,
                base.isInOrder || base.marks.served > known
            {
                return end(.lost(nil, to: base.served))
            }
            if base.served.defect == FoundDocument.notAFile { return refuse([.notAFile]) }
            guard let source else {
                return refuse([.noBase(code: base.served.defect)])
            }
            guard base.marks.nextVersion != nil else {
                return refuse([.versionsExhausted(mark: base.marks.claimed)])
            }
            // Signing is an act of its own, so nothing is signed.
            if plan.isDryRun { return end(.wouldPublish(source)) }
            return go(to: .signing)
        }
    }

    /// Of what a re-basing run has its document made.
    private var source: DocumentFacts? {
        if case .recovering(let document, _) = plan.kind { return document }
        return base.newestKnown
    }

    /// Whether a lost claim or swap begins again, on another base.
    private var mayBeginAgain: Bool {
        if case .push = plan.kind { return false }
        return tries < Self.maximumTries
    }

    /// What is to be published is served already; where the store went back, it is not served.
    private mutating func nothingToDo() -> Step {
        guard let facts = base.served.genuineFacts, facts == base.newestKnown else {
            return refuse([.rolledBack(served: base.served.version, mark: base.marks.served)])
        }
        return end(.unchanged(facts))
    }

    private func versionRefusals(of document: DocumentFacts) -> [Refusal] {
        let jump: Int64?
        switch plan.kind {
        case .push(_, let expectations): jump = expectations.allowedJump
        // Which number it will be, nobody knows beforehand.
        case .rebasing, .recovering:
            jump = document.version <= plan.allowedNumber ?? 0 ? document.version : nil
        }
        let bundle: [Refusal] = base.isBundle(document) ? [.isBundle(document.version)] : []
        return bundle + VersionRules.refusals(of: document, base: base, allowedJump: jump)
    }

    private mutating func refuse(_ refusals: [Refusal]) -> Step {
        plan.isDryRun ? end(.refused(refusals)) : finish(.refused(refusals))
    }

    private mutating func judged(_ refusals: [Refusal]) -> Step {
        guard let document else { return again() }
        var all = refusals
        if case .push = plan.kind { all = versionRefusals(of: document) + all }
        guard all.isEmpty else { return refuse(all) }
        if plan.isDryRun { return end(.wouldPublish(document)) }
        sends = 0
        return go(to: .claiming)
    }
}

// MARK: - Claim

extension Publication {
    private mutating func claimed(_ answer: WriteAnswer) -> Step {
        sends += 1
        switch answer {
        case .done: return go(to: .recordingClaim)
        case .lost, .notKnown: return go(to: .readingClaim)
        }
    }

    private mutating func claimRead(_ found: FoundDocument?) -> Step {
        guard let document else { return again() }
        switch found {
        case nil:
            return sends < Self.maximumSends ? go(to: .claiming) : end(.unsettled(document))
        case .genuine(let facts, _)? where facts.payload == document.payload:
            self.document = facts
            return go(to: .recordingClaim)
        case .genuine(_, _)?:
            return loseClaim(document)
        case .distrusted?, .junk?:
            alarms.insert(.junkClaim(document.version))
            return loseClaim(document)
        }
    }

    private mutating func recordedClaim(_ answer: LedgerAnswer) -> Step {
        guard let document else { return again() }
        switch answer {
        case .written:
            sends = 0
            return go(to: .swapping(SwapCondition(base: base.served)))
        case .conflict:
            return loseClaim(document)
        }
    }

    private mutating func loseClaim(_ document: DocumentFacts) -> Step {
        mayBeginAgain ? again() : finish(.taken(document))
    }
}

// MARK: - Read back

extension Publication {
    private mutating func readBack(
        _ reading: ServedReading, _ condition: SwapCondition, _ answer: WriteAnswer
    ) -> Step {
        guard let document else { return again() }
        sends += 1
        if case .present(.genuine(let facts, let defect), _) = reading {
            if facts.payload == document.payload {
                if let defect { return finish(.broken(.unusable(facts, code: defect))) }
                return go(to: .readingLedgerBack(facts))
            }
            if facts.version == document.version {
                return finish(
                    .broken(.otherContent(document, found: .genuine(facts, defect: defect))))
            }
            if facts.version > document.version { return superseded(document, facts, answer) }
        }
        guard SwapCondition(base: reading) == condition else {
            return loseSwap(document, to: reading)
        }
        if sends < Self.maximumSends { return go(to: .swapping(condition)) }
        return end(.unsettled(document))
    }

    /// A store that was restored while the swap waited serves ours in place of something newer,
    /// which only the ledger remembers.
    private mutating func ledgerReadBack(_ ledger: LedgerView, _ facts: DocumentFacts) -> Step {
        let mark = max(ledger.highestServed ?? 0, ledger.highestBundle ?? 0)
        if facts.version < mark {
            alarms.insert(.rolledBack(served: facts.version, mark: mark))
        }
        return finish(.published(facts))
    }

    private mutating func superseded(
        _ document: DocumentFacts, _ newer: DocumentFacts, _ answer: WriteAnswer
    ) -> Step {
        if mayBeginAgain { return again() }
        return finish(.superseded(document, by: newer))
    }

    private mutating func loseSwap(_ document: DocumentFacts, to reading: ServedReading) -> Step {
        if mayBeginAgain { return again() }
        return finish(.lost(document, to: reading))
    }
}

// MARK: - Going on and ending

extension Publication {
    private mutating func go(to next: Phase) -> Step {
        phase = next
        if let request = pending { return .request(request) }
        if case .recording(let verdict) = next { return end(verdict) }
        return end(.refused([.noBase(code: nil)]))
    }

    /// Begins again at "read", with a new base.
    private mutating func again() -> Step {
        tries += 1
        sends = 0
        reading = BaseReading()
        return begin()
    }

    /// Writes the line about how it ended, then ends.
    private mutating func finish(_ verdict: Verdict) -> Step {
        go(to: .recording(verdict))
    }

    private mutating func end(_ verdict: Verdict) -> Step {
        phase = .ended(verdict)
        return .verdict(verdict)
    }
}
