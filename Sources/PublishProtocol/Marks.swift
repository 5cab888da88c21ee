/// The two numbers that every publisher of a workspace goes by; 0 where there is none yet.
///
/// They are taken over the store's history and over a ledger outside the store, since a store that
/// is restored from a backup goes back behind everyone's back.
package struct Marks: Hashable, Sendable {
    /// The last number that a config can bear, 2^53-1.
    private static let lastVersion: Int64 = 9_007_199_254_740_991

    /// The highest number ever claimed, served or bundled: a new number is above it.
    ///
    /// What is served, the ledger and genuine bundles count whole. A claim that only the store
    /// knows lifts the mark while it is at most ``VersionRules/largestStep`` above the one before,
    /// so that one stray file cannot use up the numbers of a workspace.
    package var claimed: Int64
    /// The highest number that was seen served or that a bundle bears.
    package var served: Int64
    /// The highest version that a bundle bears.
    package var bundled: Int64?
    /// Numbers that are taken and do not lift the mark: of claims that are not ours, and of genuine
    /// ones that are too far above it.
    package var taken: [Int64]
    /// The genuine claims that are too far above the mark to lift it.
    package var farClaims: [Int64]
    /// The number of a served copy by a key that is not trusted any more, where it is too far
    /// above the mark to lift it.
    package var farServed: Int64?

    package init(served reading: ServedReading, history: History, ledger: LedgerView) {
        bundled = [history.highestBundle, ledger.highestBundle].compactMap(\.self).max()
        served = max(ledger.highestServed ?? 0, bundled ?? 0)
        var mark = max(served, reading.version ?? 0, ledger.highestClaim ?? 0)
        farClaims = []
        for number in history.claims.map(\.version).sorted() where number > mark {
            if number - mark <= VersionRules.largestStep {
                mark = number
            } else {
                farClaims.append(number)
            }
        }
        if let number = reading.distrustedFacts?.version, number > mark {
            if number - mark <= VersionRules.largestStep {
                mark = number
            } else {
                farServed = number
            }
        }
        claimed = mark
        taken = history.junkClaims + farClaims
    }

    /// The lowest number that a new document may bear; nil when none is left.
    package var nextVersion: Int64? {
        guard claimed < Self.lastVersion else { return nil }
        var next = claimed + 1
        let occupied = Set(taken)
        while occupied.contains(next) { next += 1 }
        return next <= Self.lastVersion ? next : nil
    }

    /// Whether the store serves less than it once did: `served.rolled-back`.
    package func isRolledBack(_ reading: ServedReading) -> Bool {
        (reading.version ?? 0) < served
    }
}
