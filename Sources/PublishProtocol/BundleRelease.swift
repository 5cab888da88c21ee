/// One release of a bundle into an app: from reading what is served to having it on record.
///
/// ```
/// read → check → (sign) → check → record → put → read again
/// ```
///
/// The number of a bundle is never above the served version, or it would block the remote config
/// of every install through the rollback check (signed-configuration: The bundled configuration).
/// So what is served is read before, and once more when the bundle is on record: a store that went
/// back in between is noticed before the bundle is given out.
package struct BundleRelease: Hashable, Sendable {
    /// How often a bundle is sent whose answer was not known and which reading back did not find.
    package static let maximumSends = 3

    package let plan: Plan
    package private(set) var alarms: Set<Alarm> = []
    package private(set) var phase: Phase = .start
    package private(set) var reading: BaseReading
    /// How often the bundle was sent.
    package private(set) var sends = 0
    /// The bundle; nil until it is made.
    package private(set) var document: DocumentFacts?

    package init(_ plan: Plan) {
        self.plan = plan
        reading = BaseReading(isServed: plan.isServed)
        document = plan.finished
    }

    /// Everything that was learned about what is there.
    package var base: Publication.Base { reading.base }

    package struct Plan: Hashable, Sendable {
        /// A bundle that is signed already; nil has one made of what is served.
        package var finished: DocumentFacts?
        /// Whether the workspace has a config URL that bounds its bundles.
        package var isServed: Bool
        /// Ends before the first write, and before anything is signed.
        package var isDryRun: Bool

        package init(
            finished: DocumentFacts? = nil, isServed: Bool = true, isDryRun: Bool = false
        ) {
            self.finished = finished
            self.isServed = isServed
            self.isDryRun = isDryRun
        }
    }

    package enum Phase: Hashable, Sendable {
        case start
        case reading, observing, judging, signing
        case recordingBundle, putting, readingBundle, confirming
        case recording(Verdict)
        case ended(Verdict)
    }

    /// The first request.
    package mutating func begin() -> Step {
        go(to: .reading)
    }

    /// Takes the answer to the last request.
    package mutating func handle(_ event: StoreEvent) -> Step {
        if event == .failed || event == .outdated, let request = pending {
            return end(.failed(request, mayBePublished: false))
        }
        switch (phase, event) {
        case (.reading, _):
            reading.handle(event)
            return reading.isComplete ? checkBase() : go(to: .reading)
        case (.observing, .recorded(_)):
            return make()
        case (.judging, .judged(let refusals)):
            return judged(refusals)
        case (.signing, .signed(let document, let refusals)):
            self.document = document
            return judged(refusals)
        case (.recordingBundle, .recorded(_)):
            return go(to: .putting)
        case (.putting, .wrote(let answer)):
            sends += 1
            return answer == .done ? confirm() : go(to: .readingBundle)
        case (.readingBundle, .found(let found)):
            return bundleRead(found)
        case (.confirming, .served(let reading)):
            return confirmed(reading)
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
        case .confirming: .readServed
        case .observing: base.served.genuineFacts.map { .record(.observed($0)) }
        case .judging: .judge(base)
        case .signing: base.served.genuineFacts.map { .sign(of: $0, version: $0.version) }
        case .recordingBundle: document.map { .record(.bundled($0)) }
        case .putting: document.map { .putBundle($0) }
        case .readingBundle: document.map { .readBundle($0) }
        case .recording(let verdict):
            LedgerRecord(verdict: verdict, document: document).map { .record($0) }
        }
    }
}

extension BundleRelease {
    private mutating func checkBase() -> Step {
        alarms.formUnion(base.alarms(isServed: plan.isServed))
        guard plan.isServed else { return make() }
        let refusals = refusalsOfBase()
        guard refusals.isEmpty else { return refuse(refusals) }
        if let facts = base.served.genuineFacts, facts.payload != base.ledger.lastServed,
            !plan.isDryRun
        {
            return go(to: .observing)
        }
        return make()
    }

    /// What speaks against any bundle right now.
    private func refusalsOfBase() -> [Refusal] {
        var refusals: [Refusal] = []
        if base.served == .absent {
            refusals.append(.servedUnusable(code: nil))
        } else if let code = base.served.defect {
            refusals.append(.servedUnusable(code: code))
        }
        if base.isRolledBack {
            refusals.append(
                .rolledBack(served: base.served.version, mark: base.marks.served))
        }
        if let facts = base.otherContent { refusals.append(.otherContent(facts.version)) }
        return refusals
    }

    private mutating func make() -> Step {
        if plan.finished != nil { return go(to: .judging) }
        if plan.isDryRun, let facts = base.served.genuineFacts {
            return end(.wouldPublish(facts))
        }
        return go(to: .signing)
    }

    private mutating func judged(_ refusals: [Refusal]) -> Step {
        guard let document else { return refuse(refusals) }
        var all = refusals
        if plan.isServed, let served = base.served.version, document.version > served {
            all.insert(.bundleAboveServed(document.version, served: served), at: 0)
        }
        if !plan.isServed, let newest = base.marks.bundled,
            newest > document.version || base.hasOtherBundle(document)
        {
            all.append(.versionNotAbove(document.version, above: newest, where: .bundle))
        }
        guard all.isEmpty else { return refuse(all) }
        return plan.isDryRun ? end(.wouldPublish(document)) : go(to: .recordingBundle)
    }

    private mutating func bundleRead(_ found: FoundDocument?) -> Step {
        guard let document else { return begin() }
        switch found {
        case nil:
            return sends < Self.maximumSends ? go(to: .putting) : end(.unsettled(document))
        case .genuine(let facts, _)? where facts.payload == document.payload:
            self.document = facts
            return confirm()
        case .genuine, .distrusted, .junk:
            return finish(.broken(.bundleTaken(document)))
        }
    }

    private mutating func confirm() -> Step {
        guard let document else { return begin() }
        return plan.isServed ? go(to: .confirming) : end(.released(document))
    }

    private mutating func confirmed(_ reading: ServedReading) -> Step {
        guard let document else { return begin() }
        if let served = reading.version, served >= document.version {
            return end(.released(document))
        }
        alarms.insert(.rolledBack(served: reading.version, mark: document.version))
        return finish(.broken(.rolledBack(served: reading.version, mark: document.version)))
    }

    private mutating func go(to next: Phase) -> Step {
        phase = next
        if let request = pending { return .request(request) }
        if case .recording(let verdict) = next { return end(verdict) }
        return end(.refused([.servedUnusable(code: nil)]))
    }

    private mutating func refuse(_ refusals: [Refusal]) -> Step {
        plan.isDryRun ? end(.refused(refusals)) : finish(.refused(refusals))
    }

    private mutating func finish(_ verdict: Verdict) -> Step {
        go(to: .recording(verdict))
    }

    private mutating func end(_ verdict: Verdict) -> Step {
        phase = .ended(verdict)
        return .verdict(verdict)
    }
}
