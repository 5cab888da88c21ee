package import Libcrypto

/// What an append did.
package struct LogReceipt: Sendable, Equatable {
    /// Where the log ends now.
    package let tip: LogTip
    /// The digest of each added line, in order.
    package let digests: [SHA256Digest]
    /// What a crash had left and was mended first.
    package let mended: LogMending?

    /// The torn line that was removed first.
    package var repair: LogRepair? {
        if case .removed(let repair) = mended { repair } else { nil }
    }
}
