/// What the store's `versions/` and `bundles/` tell.
///
/// It is enough to read the claims from the highest number down to the first genuine one, and the
/// bundles likewise: only the highest decides, and what lies above it is junk.
package struct History: Hashable, Sendable {
    /// The highest claim that one of our keys signed for this number.
    package var highestClaim: DocumentFacts?
    /// Numbers above that whose claim is not ours.
    package var junkClaims: [Int64]
    /// The highest version a genuine bundle bears.
    package var highestBundle: Int64?
    /// Names in `bundles/` that are not ours and stand above that.
    package var junkBundles: [String]

    package init(
        highestClaim: DocumentFacts? = nil, junkClaims: [Int64] = [], highestBundle: Int64? = nil,
        junkBundles: [String] = []
    ) {
        self.highestClaim = highestClaim
        self.junkClaims = junkClaims
        self.highestBundle = highestBundle
        self.junkBundles = junkBundles
    }
}

/// What the ledger outside the store tells about one workspace.
package struct LedgerView: Hashable, Sendable {
    /// The highest number that a line other than a bundle's bears, and the digests of all payloads
    /// that stand under it.
    package var highestClaim: Int64?
    package var highestClaimPayloads: Set<ContentDigest>
    /// The highest number that was seen served.
    package var highestServed: Int64?
    /// The payload that was seen served last.
    package var lastServed: ContentDigest?
    /// The highest version that a released bundle bears.
    package var highestBundle: Int64?

    package init(
        highestClaim: Int64? = nil, highestClaimPayloads: Set<ContentDigest> = [],
        highestServed: Int64? = nil, lastServed: ContentDigest? = nil, highestBundle: Int64? = nil
    ) {
        self.highestClaim = highestClaim
        self.highestClaimPayloads = highestClaimPayloads
        self.highestServed = highestServed
        self.lastServed = lastServed
        self.highestBundle = highestBundle
    }
}

/// The two numbers that every publisher of a workspace goes by; 0 where there is none yet.
///
/// They are taken over the store's history and over a ledger outside the store, since a store that
/// is restored from a backup goes back behind everyone's back.
package struct Marks: Hashable, Sendable {
    /// The highest number ever claimed, served or bundled: a new number is above it.
    package var claimed: Int64
    /// The highest number that was seen served or that a bundle bears.
    package var served: Int64
    /// The highest version that a bundle bears.
    package var bundled: Int64?
    /// Numbers that are taken by something that is not ours.
    package var taken: [Int64]

    package init(served reading: ServedReading, history: History, ledger: LedgerView) {
        bundled = [history.highestBundle, ledger.highestBundle].compactMap(\.self).max()
        served = max(ledger.highestServed ?? 0, bundled ?? 0)
        claimed = max(
            served, reading.version ?? 0, history.highestClaim?.version ?? 0,
            ledger.highestClaim ?? 0)
        taken = history.junkClaims
    }

    /// The lowest number that a new document may bear.
    package var nextVersion: Int64 {
        var next = claimed + 1
        let occupied = Set(taken)
        while occupied.contains(next) { next += 1 }
        return next
    }

    /// Whether the store serves less than it once did: `served.rolled-back`.
    package func isRolledBack(_ reading: ServedReading) -> Bool {
        (reading.version ?? 0) < served
    }
}
