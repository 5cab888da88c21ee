/// The rules about a document's number, which no install can turn back.
package enum VersionRules {
    /// How far above the claimed mark a number may be without a person saying so.
    package static let largestStep: Int64 = 1_000

    /// What speaks against publishing a document under its number; empty when nothing does.
    ///
    /// - Parameter allowedJump: the number a person repeated, which lifts the limit on the step.
    package static func refusals(
        of document: DocumentFacts, base: Publication.Base, allowedJump: Int64?
    ) -> [Refusal] {
        let version = document.version
        let marks = base.marks
        var refusals: [Refusal] = []
        if let (above, place) = precedent(of: document, base, marks) {
            refusals.append(.versionNotAbove(version, above: above, where: place))
        }
        if base.history.junkClaims.contains(version) {
            refusals.append(.versionTaken(version))
        }
        if version > marks.claimed, version - marks.claimed > largestStep, allowedJump != version {
            refusals.append(.versionJump(version, mark: marks.claimed))
        } else if let far = marks.farServed, version <= far, allowedJump != version {
            refusals.append(.farServed(far, mark: marks.claimed))
        }
        return refusals
    }

    /// The highest number that stands in the way, and where it was found.
    private static func precedent(
        of document: DocumentFacts, _ base: Publication.Base, _ marks: Marks
    ) -> (Int64, Refusal.Precedent)? {
        let version = document.version
        var found: (Int64, Refusal.Precedent)?
        func add(_ version: Int64, _ place: Refusal.Precedent) {
            if version > found?.0 ?? 0 { found = (version, place) }
        }
        func isOther(_ other: DocumentFacts) -> Bool {
            other.version >= version && other.payload != document.payload
        }
        if let facts = base.served.genuineFacts, isOther(facts), !base.isRepair(document) {
            add(facts.version, .served)
        }
        if let facts = base.served.distrustedFacts, isOther(facts), facts.version <= marks.claimed {
            add(facts.version, .served)
        }
        for claim in base.history.claims where isOther(claim) {
            if claim.version <= marks.claimed || claim.version == version {
                add(claim.version, .claim)
            }
        }
        if let claim = base.ledger.highestClaim, claim >= version {
            let isOurs = base.ledger.highestClaimPayloads == [document.payload]
            if claim > version || !isOurs { add(claim, .ledger) }
        }
        if let bundle = marks.bundled, bundle > version { add(bundle, .bundle) }
        return found
    }
}
