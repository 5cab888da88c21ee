package import LinuxIO

/// Why a connection to a local socket gave nothing.
package enum LocalConnectionError: Error, Sendable, Equatable {
    /// Nobody could be connected to; the error number says why, such as "No such file or directory".
    case notReached(FilePath, ErrorNumber)
    /// The deadline passed.
    case timedOut(FilePath)
    /// The other side sent more than `limit` bytes, or a line longer than that.
    case tooMuch(FilePath, limit: Int)
    case system(SystemError)
}
