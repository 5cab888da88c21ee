package import GronaFormats

/// What the ledger outside the store tells about one workspace.
package struct LedgerView: Hashable, Sendable {
    /// The highest number that a line other than a bundle's bears, and the digests of all payloads
    /// that stand under it.
    package var highestClaim: Int64?
    package var highestClaimPayloads: Set<ContentDigest>
    /// The contents of each number that a line other than a bundle's bears.
    package var payloads: [Int64: Set<ContentDigest>]
    /// The highest number that was seen served.
    package var highestServed: Int64?
    /// The document with the highest version that was seen served; of several the last.
    package var newestServed: DocumentFacts?
    /// When that was first seen served, in Unix seconds; nil where no line says so.
    package var newestServedAt: Int64?
    /// The payload that was seen served last.
    package var lastServed: ContentDigest?
    /// The highest version that a released bundle bears, and the contents of all that bear it.
    package var highestBundle: Int64?
    package var highestBundlePayloads: Set<ContentDigest>
    /// The contents of all released bundles.
    package var bundles: Set<ContentDigest>
    /// The last try that failed with what was served then as its source, unless something newer was
    /// seen served since.
    package var lastRefusal: LedgerRefusal?

    package init(
        highestClaim: Int64? = nil, highestClaimPayloads: Set<ContentDigest> = [],
        payloads: [Int64: Set<ContentDigest>] = [:], highestServed: Int64? = nil,
        newestServed: DocumentFacts? = nil, lastServed: ContentDigest? = nil,
        highestBundle: Int64? = nil,
        highestBundlePayloads: Set<ContentDigest> = [], bundles: Set<ContentDigest> = []
    ) {
        self.highestClaim = highestClaim
        self.highestClaimPayloads = highestClaimPayloads
        self.payloads = payloads
        self.highestServed = highestServed
        self.newestServed = newestServed
        self.lastServed = lastServed
        self.highestBundle = highestBundle
        self.highestBundlePayloads = highestBundlePayloads
        self.bundles = bundles
    }
}

/// That a signer gave nothing new for what was served.
package struct LedgerRefusal: Hashable, Sendable {
    package let code: String
    package let time: UnixTime
    /// What was served then.
    package let version: Int64

    package init(code: String, time: UnixTime, version: Int64) {
        self.code = code
        self.time = time
        self.version = version
    }
}
