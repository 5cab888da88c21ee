package import Libcrypto

/// Where a log ends.
package struct LogTip: Sendable, Equatable {
    /// SHA-256 of the last line; 64 zeros for an empty log.
    package let head: SHA256Digest
    /// The number of lines.
    package let lines: Int

    package init(head: SHA256Digest, lines: Int) {
        self.head = head
        self.lines = lines
    }
}
