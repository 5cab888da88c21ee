package import Libcrypto

/// What an append did.
package struct LogReceipt: Sendable, Equatable {
    /// Where the log ends now.
    package let tip: LogTip
    /// The digest of each added line, in order.
    package let digests: [SHA256Digest]
    /// A torn line that a crash had left and that was removed first; worth a warning.
    package let repair: LogRepair?
}
