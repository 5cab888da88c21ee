import GronaFormats
import PublishProtocol

/// Finds the content that a push is held against: the newest that is known to have been served.
///
/// That is what is served, or where the store went back or shows nothing of ours, what the ledger
/// saw served last: from the envelope beside it, else from the store's `versions/` by its digest.
struct PushReference {
    let publisher: Publisher
    let base: Publication.Base
    /// What is served.
    let served: JudgedDocument?

    struct Found {
        var document: JudgedDocument?
        /// The number of a content that was served and cannot be had.
        var unknown: Int64?
    }

    func find(for document: DocumentFacts) throws(PublishingError) -> Found {
        let current = base.otherContent == nil ? base.served.genuineFacts : nil
        let newest: KeptEnvelope?
        do { newest = try publisher.ledger.newestServed(of: publisher.judge.workspace) } catch {
            throw .ledger(error)
        }
        if let newest, newest.facts.version > current?.version ?? 0 {
            if let kept = newest.bytes.map({ publisher.judge.judge($0) }), kept.facts != nil {
                return Found(document: kept)
            }
            return try content([newest.facts.payload], of: newest.facts.version, document)
        }
        if current != nil { return Found(document: served) }
        if let other = base.otherContent {
            return try content(base.owners(of: other.version), of: other.version, document)
        }
        return Found(document: try claim(newestClaim))
    }

    /// A content by its digest; where it cannot be had, the newest claim stands in for it.
    private func content(
        _ payloads: Set<ContentDigest>, of version: Int64, _ document: DocumentFacts
    ) throws(PublishingError) -> Found {
        // The very document that was served before needs nothing to be held against.
        if payloads.contains(document.payload) { return Found() }
        if let claim = try claim(version), let facts = claim.facts,
            payloads.contains(facts.payload)
        {
            return Found(document: claim)
        }
        return Found(document: try claim(newestClaim), unknown: version)
    }

    /// The number of the highest claim that the marks go by.
    private var newestClaim: Int64? {
        base.history.claims.last { $0.version <= base.marks.claimed }?.version
    }

    private func claim(_ version: Int64?) throws(PublishingError) -> JudgedDocument? {
        guard let number = version.flatMap(ConfigVersion.init(_:)) else { return nil }
        do {
            let claim = try publisher.history.claim(number)
            return claim?.facts?.version == version ? claim : nil
        } catch {
            throw .store(error)
        }
    }
}
