package import PublishProtocol

/// What one copy of a store holds for one workspace, as a small value.
struct Region: Sendable {
    /// Something under a name that only one document may ever have.
    struct Slot: Sendable {
        /// The document's number, and the content that the name of a bundle bears.
        let name: DocumentFacts
        var found: FoundDocument
    }

    var served: FoundDocument?
    /// By number, the lowest first.
    var claims: [Slot] = []
    /// By number, the lowest first.
    var bundles: [Slot] = []

    /// The number of what is served, where that is ours.
    var version: Int64 { served?.genuineFacts?.version ?? 0 }

    func claim(_ number: Int64) -> FoundDocument? {
        claims.first { $0.name.version == number }?.found
    }

    func bundle(_ name: DocumentFacts) -> FoundDocument? {
        bundles.first { $0.name.version == name.version && $0.name.payload == name.payload }?.found
    }

    /// What the config URL answers.
    ///
    /// - Parameter defect: why no device takes a document of ours any more.
    func reading(_ defect: String?) -> ServedReading {
        switch served {
        case nil: .absent
        case .genuine(let facts, nil)?:
            .present(.genuine(facts, defect: defect), tag: Documents.tag(of: facts.envelope))
        case .genuine(let facts, _)?, .distrusted(let facts, _)?:
            .present(served ?? .genuine(facts, defect: nil), tag: Documents.tag(of: facts.envelope))
        case .junk(let envelope, let code)?:
            .present(.junk(envelope: envelope, code: code), tag: Documents.tag(of: envelope))
        }
    }

    /// Claims down to a genuine one that is not above the floor, as a store's reader lists them.
    func history(downTo floor: Int64) -> History {
        var history = History()
        for slot in claims.reversed() {
            guard let facts = slot.found.genuineFacts else {
                history.junkClaims.append(slot.name.version)
                continue
            }
            history.claims.insert(facts, at: 0)
            if facts.version <= floor { break }
        }
        for slot in bundles.reversed() {
            if let highest = history.highestBundle, slot.name.version < highest { break }
            if let facts = slot.found.genuineFacts {
                history.highestBundle = facts.version
                history.highestBundlePayloads.insert(facts.payload)
            } else {
                history.junkBundles.append(String(slot.name.version))
            }
        }
        return history
    }

    /// What the store does with a write at the instant at which it carries it out.
    mutating func apply(_ request: StoreRequest) -> WriteAnswer {
        switch request {
        case .claim(let document):
            guard claim(document.version) == nil else { return .lost }
            put(claim: .genuine(document, defect: nil), document)
        case .swap(let document, let condition):
            guard SwapCondition(base: reading(nil)) == condition else { return .lost }
            served = .genuine(document, defect: nil)
        case .putBundle(let document):
            guard bundle(document) == nil else { return .lost }
            put(bundle: .genuine(document, defect: nil), document)
        case .readServed, .readHistory, .readLedger, .judge, .sign, .record, .readClaim,
            .readBundle:
            return .notKnown
        }
        return .done
    }

    mutating func put(claim found: FoundDocument, _ name: DocumentFacts) {
        claims.removeAll { $0.name.version == name.version }
        Self.insert(Slot(name: name, found: found), into: &claims)
    }

    mutating func put(bundle found: FoundDocument, _ name: DocumentFacts) {
        Self.insert(Slot(name: name, found: found), into: &bundles)
    }

    private static func insert(_ slot: Slot, into slots: inout [Slot]) {
        let index = slots.firstIndex { $0.name.version > slot.name.version } ?? slots.endIndex
        slots.insert(slot, at: index)
    }
}

/// Documents of a model: a number for the content and one for the signature over it.
package enum Documents {
    package static func document(
        _ version: Int64, content: UInt64, signature: UInt64? = nil
    ) -> DocumentFacts {
        DocumentFacts(
            version: version, payload: ContentDigest(number: content),
            envelope: ContentDigest(number: signature ?? content))
    }

    /// Short, so that it costs nothing; it tells bytes apart as a digest does.
    package static func tag(of envelope: ContentDigest) -> EntityTag {
        EntityTag(String(envelope.number))
    }

    package static func serving(_ document: DocumentFacts) -> ServedReading {
        .present(.genuine(document, defect: nil), tag: tag(of: document.envelope))
    }
}
