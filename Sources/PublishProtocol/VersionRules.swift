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
        var refusals: [Refusal] = []
        func notAbove(_ other: Int64, _ place: Refusal.Precedent) {
            refusals.append(.versionNotAbove(version, above: other, where: place))
        }
        if let facts = served.genuineFacts, facts.payload != document.payload,
            facts.version >= version
        {
            notAbove(facts.version, .served)
        }
        if let claim = history.highestClaim, claim.payload != document.payload,
            claim.version >= version
        {
            notAbove(claim.version, .claim)
        }
        if let claim = ledger.highestClaim {
            if claim > version
                || claim == version
                    && ledger.highestClaimPayloads != [document.payload]
            {
                notAbove(claim, .ledger)
            }
        }
        let marks = Marks(served: served, history: history, ledger: ledger)
        if let bundle = marks.bundled, bundle > version {
            notAbove(bundle, .bundle)
        }
        if history.junkClaims.contains(version) {
            refusals.append(.versionTaken(version))
        }
        if version > marks.claimed, version - marks.claimed > largestStep, allowedJump != version {
            refusals.append(.versionJump(version, mark: marks.claimed))
        }
        return refusals
    }
}
