package import Transitions

/// How a run ended.
package enum Verdict: Hashable, Sendable {
    /// What was to be published is served already.
    case unchanged(DocumentFacts)
    /// It is served now, and was read back.
    case published(DocumentFacts)
    /// The bundle is recorded and in the store; it may be given out.
    case released(DocumentFacts)
    /// A rehearsal without writing ended before the claim.
    case wouldPublish(DocumentFacts)
    /// It was served, or may have been, and something newer is served now.
    case superseded(DocumentFacts, by: DocumentFacts)
    /// Somebody else changed what is served between reading and swapping.
    case lost(DocumentFacts?, to: ServedReading)
    /// The number belongs to another document.
    case taken(DocumentFacts)
    /// A rule refuses it; the first is the verdict, the others go with it.
    case refused([Refusal])
    /// The store broke the contract.
    case broken(Breach)
    /// The store answered neither yes nor no, several times.
    case unsettled(DocumentFacts)
    /// A request failed. What was asked says how far the run got; `mayBePublished` is whether a
    /// swap was sent that was not known to be lost.
    case failed(StoreRequest, mayBePublished: Bool)
}

/// What a store that keeps the contract never shows.
package enum Breach: Hashable, Sendable {
    /// Other bytes under the number that we claimed and swapped in.
    case otherContent(DocumentFacts, found: FoundDocument)
    /// What reads back is ours and yet no device would take it.
    case unusable(DocumentFacts, code: String)
    /// The served version is below the served mark.
    case rolledBack(served: Int64?, mark: Int64)
    /// The bundle's name in the store is taken by something else.
    case bundleTaken(DocumentFacts)
}

/// Something an operator must see, whatever the run itself comes to.
package enum Alarm: Hashable, Sendable {
    /// `served.rolled-back`; blocks bundles, mended by the next publish.
    case rolledBack(served: Int64?, mark: Int64)
    /// What is served is not ours, or no device would take it.
    case servedUnusable(code: String)
    /// `served.other-content`: another content is served under a number than it was given to.
    case otherContent(Int64)
    /// What is served is signed by a key that is not trusted any more, under a number too far above
    /// the mark to be believed.
    case farServed(Int64, mark: Int64)
    /// A genuine claim too far above the mark: the number is taken, the mark is not raised.
    case farClaim(Int64, mark: Int64)
    /// A claim that none of our keys signed: the number is taken, the mark is not raised.
    case junkClaim(Int64)
    /// A bundle in the store that none of our keys signed.
    case junkBundle(String)
}

/// Why a document may not be published or released.
package enum Refusal: Hashable, Sendable {
    /// A device would refuse it: the row's code.
    case device(code: String)
    /// `version.not-above`: the number is not above what stands there.
    case versionNotAbove(Int64, above: Int64, where: Precedent)
    /// `version.taken`: something that is not ours stands under the number.
    case versionTaken(Int64)
    /// `version.jump`: more than 1,000 above the claimed mark.
    case versionJump(Int64, mark: Int64)
    /// `version.exhausted`: no number is left above the mark.
    case versionsExhausted(mark: Int64)
    /// `served.other-content`: this is served under a number that was given to another content.
    case otherContent(Int64)
    /// `served.far`: a number far above the mark is served by a key that is not trusted any more,
    /// and the document is not above it.
    case farServed(Int64, mark: Int64)
    /// `served.content-unknown`: the content that was served last cannot be had, so these campaigns
    /// may have been switched off in it.
    case contentUnknown(Int64, campaigns: [String])
    /// `store.not-a-file`: something stands in the place of the config that no publisher replaces.
    case notAFile
    /// `push.bundle`: the document was released as a bundle, and is no config.
    case isBundle(Int64)
    /// Something else is served than the caller expects.
    case unexpectedServed(expected: Int64, served: Int64?)
    /// Less than 90 % of the lifetime is left.
    case aged(left: Int64, lifetime: Int64)
    /// `settings.demo` in a workspace whose policy does not say so.
    case demo
    /// The workspace has no config URL.
    case bundleOnly
    /// `transition.<member>`: a member may not change like this.
    case transition(TransitionViolation)
    /// `bundle.above-served`
    case bundleAboveServed(Int64, served: Int64)
    /// `bundle.stale`: older than what is served, with campaigns on that are off by now.
    case bundleStale(Int64, campaigns: [String])
    /// `bundle.kid`: the app release does not pin the key.
    case bundleKey(kid: String)
    /// `bundle.untrusted`: our own keyring does not trust the bundle; the code of the row.
    case bundleUntrusted(code: String)
    /// A warning that is an error here; its code.
    case warned(code: String)
    /// `bundle.lifetime`
    case bundleLifetime(Int64, atMost: Int64)
    /// `bundle.source`: the served copy cannot be the source of anything; the code of the row, or
    /// nil when nothing is there.
    case servedUnusable(code: String?)
    /// `served.missing`, `served.unusable`: nothing that a change could be made of is served, or was
    /// seen served; the code of the row, or nil when nothing is there.
    case noBase(code: String?)
    /// `served.rolled-back`
    case rolledBack(served: Int64?, mark: Int64)

    /// Where the number that stands in the way was found.
    package enum Precedent: String, Hashable, Sendable {
        case served
        case claim
        case ledger
        case bundle
    }
}
