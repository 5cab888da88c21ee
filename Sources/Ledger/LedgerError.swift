package import Libcrypto
package import LinuxIO

/// Why a log could not be read or added to.
package enum LedgerError: Error, Sendable, Equatable {
    /// It could not be read.
    case file(FileError)
    /// It could not be made or added to.
    case unwritten(FileError)
    /// A record is not an object.
    case notAnObject
    /// A line would be, or is, longer than `limit` bytes.
    case lineTooLong(limit: Int)
    /// More records than one group may have.
    case groupTooLarge(limit: Int)
    /// The chain is broken; nothing was added.
    case broken(LogFault)
    /// The log has grown since the caller read it, maybe by being mended; its head is another one
    /// now.
    case headMoved(SHA256Digest, mended: LogMending? = nil)

    init(_ error: SystemError) {
        self = .file(.system(error))
    }

    /// The same failure of a log that was to be added to.
    var ofWriting: LedgerError {
        if case .file(let error) = self { .unwritten(error) } else { self }
    }
}
