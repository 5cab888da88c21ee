/// The rules about a document's number, which no install can turn back.
package enum VersionRules {
    /// How far above the claimed mark a number may be without a person saying so.
    package static let largestStep: Int64 = 1_000

    /// What speaks against publishing a document under its number; empty when nothing does.
    ///
    /// - Parameter allowedJump: the number a person repeated, which lifts the limit on the step.
    package static func refusals(
        of document: DocumentFacts, served: ServedReading, history: History, ledger: LedgerView,
        allowedJump: Int64?
    ) -> [Refusal] {
        let version = document.version
        let marks = Marks(served: served, history: history, ledger: ledger)
        var refusals: [Refusal] = []
        if let (above, place) = precedent(of: document, served, history, ledger, marks) {
            refusals.append(.versionNotAbove(version, above: above, where: place))
        }
        if history.junkClaims.contains(version) {
            refusals.append(.versionTaken(version))
        }
        if version > marks.claimed, version - marks.claimed > largestStep, allowedJump != version {
            refusals.append(.versionJump(version, mark: marks.claimed))
        }
        return refusals
    }

    /// The highest number that stands in the way, and where it was found.
    private static func precedent(
        of document: DocumentFacts, _ served: ServedReading, _ history: History,
        _ ledger: LedgerView, _ marks: Marks
    ) -> (Int64, Refusal.Precedent)? {
        var found: (Int64, Refusal.Precedent)?
        func add(_ version: Int64, _ place: Refusal.Precedent) {
            if version > found?.0 ?? 0 { found = (version, place) }
        }
        if let facts = served.genuineFacts, facts.payload != document.payload,
            facts.version >= document.version
        {
            add(facts.version, .served)
        }
        if let claim = history.highestClaim, claim.payload != document.payload,
            claim.version >= document.version
        {
            add(claim.version, .claim)
        }
        if let claim = ledger.highestClaim, claim >= document.version {
            let isOurs = ledger.highestClaimPayloads == [document.payload]
            if claim > document.version || !isOurs { add(claim, .ledger) }
        }
        if let bundle = marks.bundled, bundle > document.version { add(bundle, .bundle) }
        return found
    }
}
