/// A publisher, or a store, that gets one thing wrong: the search has to find each.
///
/// Nothing of the shipped machines is changed for it: a wrapper alters what they ask and what they
/// are answered.
package enum Mutant: String, Sendable, CaseIterable {
    /// The swap is sent without a condition.
    case blindPut = "blind put"
    /// The condition is checked by reading, and then the swap is sent without one.
    case readCheckPut = "read-check-put"
    /// A lock that runs out stands for the condition.
    case timedLock = "a TTL lock instead of the condition"
    /// The number is claimed nowhere.
    case noClaim = "no claim"
    /// The bundle is made of the newest claim instead of what is served.
    case earlyBundle = "bundle for the version about to be published"
    /// A lost swap is sent again, with the tag of what came in between.
    case staleRetry = "retry on a stale base"
    /// The ledger is neither read nor asked.
    case storeMarks = "mark from the store only"
    /// The claim's line is written when the swap is through.
    case lateLedger = "ledger written after the swap"
    /// What has our number is taken for ours.
    case versionReadBack = "read-back by version instead of digest"
    /// An answer that says nothing is taken for "not done".
    case hastyFailure = "5xx taken for failure"
    /// The document is made of what is served, however old that is.
    case staleSource = "refresh from a rolled-back copy"
    /// The number is somebody else's, and the run goes on.
    case ignoredLoss = "a lost claim that goes on"
    /// Somebody else's claim of our number is taken for ours.
    case versionClaim = "claim read by version instead of digest"
    /// The store lets every creator win.
    case overwritingStore = "a store that overwrites claims"
    /// The release is given out without looking again.
    case unconfirmedBundle = "a bundle without a second look"
    /// Bundles go by what is served alone.
    case forgetfulBundle = "a bundle that forgets the served mark"

    /// The invariant that it breaks first.
    package var breaks: Invariant {
        switch self {
        case .blindPut, .readCheckPut, .timedLock, .staleRetry: .servedMonotone
        case .noClaim, .storeMarks, .lateLedger: .oneContent
        case .earlyBundle: .bundleBound
        case .versionReadBack, .hastyFailure: .readBack
        case .staleSource: .newestSource
        case .ignoredLoss, .versionClaim, .overwritingStore: .claimed
        case .unconfirmedBundle, .forgetfulBundle: .rolledBack
        }
    }
}

/// What has to hold in every state and at every step.
package enum Invariant: String, Sendable, CaseIterable {
    /// The served version never falls.
    case servedMonotone = "served-monotone"
    /// No released bundle is above the served version.
    case bundleBound = "bundle-bound"
    /// What is served under one number is one content, for ever.
    case oneContent = "one-content"
    /// What is served is a whole document of ours, whatever the publishers do.
    case whole
    /// What a run says it did, it did: published, already there, or not published.
    case readBack = "read-back"
    /// What is served stands under its number in the history, byte for byte.
    case claimed
    /// After the store went back: an alarm, and no bundle is given out.
    case rolledBack = "rolled-back"
    /// What is signed anew is made of the newest content that the ledger saw served.
    case newestSource = "newest-source"
}
