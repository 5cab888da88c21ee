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
    /// The code of junk that is no file at all, which a publisher never replaces.
    package static let notAFile = "store.not-a-file"

    /// Signed by one of our keys for this workspace, with a version that can be read.
    ///
    /// `defect` is the code of the first rule a device would refuse it by all the same,
    /// such as `payload.expired`.
    case genuine(DocumentFacts, defect: String?)
    /// Signed for this workspace by a key that the keyring knows and does not trust any more.
    ///
    /// It is no content of ours, and yet installs that still pin the key may have taken its number.
    case distrusted(DocumentFacts, code: String)
    /// Not ours: it does not parse, is for another workspace, or no key of ours signed it.
    case junk(envelope: ContentDigest, code: String)

    package var genuineFacts: DocumentFacts? {
        switch self {
        case .genuine(let facts, _): facts
        case .distrusted, .junk: nil
        }
    }

    /// The code of what a device refuses it by; nil when it takes it.
    package var defect: String? {
        switch self {
        case .genuine(_, let defect): defect
        case .distrusted(_, let code), .junk(_, let code): code
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

    /// What a key of ours signed that is not trusted any more.
    package var distrustedFacts: DocumentFacts? {
        guard case .present(.distrusted(let facts, _), _) = self else { return nil }
        return facts
    }

    /// The code of what a device refuses it by; nil when it takes it or nothing is there.
    package var defect: String? {
        switch self {
        case .absent: nil
        case .present(let document, _): document.defect
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
