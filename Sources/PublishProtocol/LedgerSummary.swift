/// What the lines about one workspace add up to.
package struct LedgerSummary: Hashable, Sendable {
    package private(set) var view = LedgerView()

    package init() {}

    /// Goes on from what is known.
    package init(_ view: LedgerView) {
        self.view = view
    }

    /// Takes the next line.
    ///
    /// - Parameter time: when it was written, in Unix seconds.
    package mutating func add(_ record: LedgerRecord, at time: Int64? = nil) {
        switch record {
        case .observed(let document), .swapped(let document, .published):
            claim(document)
            view.lastServed = document.payload
            if let refusal = view.lastRefusal, document.version > refusal.version {
                view.lastRefusal = nil
            }
            if document.version >= view.newestServed?.version ?? 0 {
                if document.payload != view.newestServed?.payload { view.newestServedAt = time }
                view.newestServed = document
            }
            view.highestServed = max(view.highestServed ?? 0, document.version)
        case .claimed(let document, _), .swapped(let document, _):
            claim(document)
        case .bundled(let document):
            view.bundles.insert(document.payload)
            if document.version > view.highestBundle ?? 0 {
                view.highestBundle = document.version
                view.highestBundlePayloads = []
            }
            if document.version == view.highestBundle {
                view.highestBundlePayloads.insert(document.payload)
            }
        case .refused:
            break
        }
    }

    /// Takes that nothing was published, where it is about what was seen served last: not of a
    /// document that somebody pushed, nor of a bundle.
    package mutating func add(_ refusal: LedgerRefusal, of envelope: ContentDigest) {
        guard let newest = view.newestServed, newest.envelope == envelope,
            refusal.version == newest.version
        else { return }
        view.lastRefusal = refusal
    }

    private mutating func claim(_ document: DocumentFacts) {
        view.payloads[document.version, default: []].insert(document.payload)
        guard document.version >= view.highestClaim ?? 0 else { return }
        view.highestClaim = document.version
        view.highestClaimPayloads = view.payloads[document.version] ?? []
    }

    /// Whether the number belongs to another content.
    package func conflicts(with document: DocumentFacts) -> Bool {
        view.payloads[document.version]?.contains { $0 != document.payload } ?? false
    }
}
