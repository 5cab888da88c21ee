import DeviceModel
package import GronaFormats
package import PublishProtocol

/// What is left of a workspace: in the store, in the ledger, and beside it.
package struct RecoveryEvidence: Sendable {
    /// A content that could be published again, and from where it is.
    package struct Content: Sendable {
        package let document: JudgedDocument
        package let facts: DocumentFacts
        package let place: Place
        /// Whether the ledger knows this content as the one that its number was given to.
        package let isKnown: Bool
    }

    package enum Place: String, Sendable {
        case served
        case kept
        case claim
    }

    package let survey: Survey
    /// Genuine claims in the store, and numbers that something else stands under.
    package let claims: [DocumentFacts]
    package let junkClaims: [Int64]
    /// Released bundles in the store.
    package let bundles: [DocumentFacts]
    /// Contents at hand, the newest first; of one number what the ledger knows comes first.
    package let contents: [Content]

    package var base: Publication.Base { survey.base }

    /// Genuine claims above what is served, the newest first: nothing tells whether they were ever
    /// served, so a person has to say what becomes of them.
    package var unpublished: [DocumentFacts] {
        guard
            let served = [base.served.version, base.ledger.highestServed].compactMap(\.self).max()
        else { return [] }
        return claims.filter { $0.version > served }.sorted { $0.version > $1.version }
    }

    /// What to do, as far as the evidence goes.
    package enum Proposal: Sendable {
        /// Devices take what is served, and nothing speaks against it.
        case nothing(DocumentFacts)
        /// The very document goes back under its number.
        case republish(Content)
        /// The content goes on under a new number, which is signed for it.
        case restore(Content, version: Int64)
        /// There is no content of ours anywhere.
        case none
    }

    /// The legal way back with the newest content.
    package var proposal: Proposal {
        if base.isInOrder, let facts = base.served.genuineFacts { return .nothing(facts) }
        guard let newest = contents.first else { return .none }
        let isLegal =
            VersionRules.refusals(of: newest.facts, base: base, allowedJump: nil).isEmpty
            && !base.isBundle(newest.facts)
        if isLegal, newest.document.outcome.violation == nil, newest.document.untrusted == nil {
            return .republish(newest)
        }
        guard let version = base.marks.nextVersion else { return .none }
        return .restore(newest, version: version)
    }

    /// The number that was seen served last and whose content is not at hand: campaigns may have
    /// been switched off in it.
    package var missing: Int64? {
        guard let newest = base.ledger.newestServed,
            !contents.contains(where: { $0.facts.payload == newest.payload })
        else { return nil }
        return newest.version
    }
}

extension Publisher {
    /// Looks through everything; changes nothing.
    package func evidence() throws(PublishingError) -> RecoveryEvidence {
        let survey = try survey()
        var claims: [DocumentFacts] = []
        var junk: [Int64] = []
        var bundles: [DocumentFacts] = []
        var found: [RecoveryEvidence.Content] = []
        func add(_ document: JudgedDocument, _ place: RecoveryEvidence.Place) {
            guard let facts = document.facts, !survey.base.isBundle(facts) else { return }
            guard !found.contains(where: { $0.facts.payload == facts.payload }) else { return }
            found.append(
                RecoveryEvidence.Content(
                    document: document, facts: facts, place: place,
                    isKnown: survey.base.owners(of: facts.version).contains(facts.payload)))
        }
        let kept: [[UInt8]]
        do { kept = try ledger.keptEnvelopes() } catch { throw .ledger(error) }
        for bytes in kept { add(judge.judge(bytes), .kept) }
        let newest: KeptEnvelope?
        do { newest = try ledger.newestServed(of: judge.workspace) } catch { throw .ledger(error) }
        if let bytes = newest?.bytes { add(judge.judge(bytes), .kept) }
        if let document = survey.document { add(document, .served) }
        do throws(StoreError) {
            for version in try store.versions(of: judge.workspace, from: 0) {
                let claim = try history.claim(version)
                if let claim, let facts = claim.facts, facts.version == version.number {
                    claims.append(facts)
                    add(claim, .claim)
                } else {
                    junk.append(version.number)
                }
            }
            for name in try store.bundles(of: judge.workspace) {
                if let facts = try history.bundle(name)?.facts, HistoryReader.bears(facts, name) {
                    bundles.append(facts)
                }
            }
        } catch {
            throw .store(error)
        }
        let served = survey.base.ledger.newestServed?.version ?? 0
        let usable = found.filter { content in
            // A claim that was never seen served is no content yet, unless nothing else is known.
            content.place != .claim || content.facts.version <= served || served == 0
        }
        return RecoveryEvidence(
            survey: survey, claims: claims, junkClaims: junk, bundles: bundles,
            contents: usable.sorted {
                ($0.facts.version, $0.isKnown ? 1 : 0) > ($1.facts.version, $1.isKnown ? 1 : 0)
            })
    }

    /// The content of a number: the store's claim, or what was seen served under it; nil where
    /// neither is at hand.
    package func content(of version: ConfigVersion) throws(PublishingError) -> JudgedDocument? {
        let owners = try survey().base.ledger.payloads[version.number] ?? []
        func belongs(_ document: JudgedDocument) -> Bool {
            guard let facts = document.facts, facts.version == version.number else { return false }
            return owners.isEmpty || owners.contains(facts.payload)
        }
        let claim: JudgedDocument?
        do { claim = try history.claim(version) } catch { throw .store(error) }
        if let claim, belongs(claim) { return claim }
        let kept: [[UInt8]]
        do { kept = try ledger.keptEnvelopes() } catch { throw .ledger(error) }
        return kept.lazy.map { judge.judge($0) }.first(where: belongs)
    }

    /// Publishes a document again under its own number.
    package func republish(
        _ content: RecoveryEvidence.Content, expecting: Publication.Expectations = .init(),
        isDryRun: Bool,
        heed: @escaping ([Alarm]) -> String? = { _ in nil }
    ) -> PublishReport {
        let run = PublishRun(self)
        run.add(content.document, content.facts)
        run.onJudge = { _, _, alarms throws(PublishingError) in
            heed(alarms).map { [.warned(code: $0)] } ?? []
        }
        var machine = Publication(
            .init(.push(content.facts, expecting), isDryRun: isDryRun))
        let verdict = run.run(&machine)
        return explained(
            PublishReport(
                verdict: verdict, alarms: Self.sorted(machine.alarms), failure: run.failure,
                before: run.base, after: run.last, reference: run.base,
                document: content.document, marks: machine.base.marks))
    }
}
