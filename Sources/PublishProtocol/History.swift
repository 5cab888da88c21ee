/// What the store's `versions/` and `bundles/` tell.
///
/// It is enough to read the claims from the highest number down to the first genuine one that is
/// not above what is served, and the bundles down to the highest genuine number: what lies below
/// decides nothing.
package struct History: Hashable, Sendable {
    /// Claims that one of our keys signed for their number, the lowest first.
    package var claims: [DocumentFacts]
    /// Numbers among and above those whose claim is not ours.
    package var junkClaims: [Int64]
    /// The highest version a genuine bundle bears, and the contents of all that bear it.
    package var highestBundle: Int64?
    package var highestBundlePayloads: Set<ContentDigest>
    /// Names in `bundles/` that are not ours and stand above that.
    package var junkBundles: [String]

    package init(
        claims: [DocumentFacts] = [], junkClaims: [Int64] = [], highestBundle: Int64? = nil,
        highestBundlePayloads: Set<ContentDigest> = [], junkBundles: [String] = []
    ) {
        self.claims = claims
        self.junkClaims = junkClaims
        self.highestBundle = highestBundle
        self.highestBundlePayloads = highestBundlePayloads
        self.junkBundles = junkBundles
    }

    /// The genuine claim of a number.
    package func claim(of version: Int64) -> DocumentFacts? {
        claims.first { $0.version == version }
    }
}
