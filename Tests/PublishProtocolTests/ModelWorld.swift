import PublishProtocol

/// Documents of the tests: each author writes a content of its own.
enum ModelWorld {
    static func tag(_ document: DocumentFacts) -> EntityTag { EntityTag(document.envelope.hex) }

    static func document(_ version: Int64, author: Int) -> DocumentFacts {
        let digest = ContentDigest(number: UInt64(version) * 1_000 + UInt64(author))
        return DocumentFacts(version: version, payload: digest, envelope: digest)
    }
}
