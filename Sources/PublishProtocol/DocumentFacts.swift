/// What the protocol knows about one signed config: never its bytes.
package struct DocumentFacts: Hashable, Sendable {
    /// The number in the payload, 1 to 2^53-1.
    package var version: Int64
    /// SHA-256 of the decoded payload: which content it is.
    package var payload: ContentDigest
    /// SHA-256 of the envelope: which signature over that content it is.
    package var envelope: ContentDigest

    package init(version: Int64, payload: ContentDigest, envelope: ContentDigest) {
        self.version = version
        self.payload = payload
        self.envelope = envelope
    }
}

/// Bytes found in a store, judged.
package enum FoundDocument: Hashable, Sendable {
    /// Signed by one of our keys for this workspace, with a version that can be read.
    ///
    /// `defect` is the code of the first rule a device would refuse it by all the same,
    /// such as `payload.expired`.
    case genuine(DocumentFacts, defect: String?)
    /// Not ours: it does not parse, is for another workspace, or no key of ours signed it.
    case junk(envelope: ContentDigest, code: String)

    package var genuineFacts: DocumentFacts? {
        switch self {
        case .genuine(let facts, _): facts
        case .junk: nil
        }
    }
}

/// What the config URL answered.
package enum ServedReading: Hashable, Sendable {
    case absent
    case present(FoundDocument, tag: EntityTag)

    package var genuineFacts: DocumentFacts? {
        switch self {
        case .absent: nil
        case .present(let document, _): document.genuineFacts
        }
    }

    /// The version of a document of ours, whatever else is wrong with it.
    package var version: Int64? { genuineFacts?.version }

    package var tag: EntityTag? {
        switch self {
        case .absent: nil
        case .present(_, let tag): tag
        }
    }
}
