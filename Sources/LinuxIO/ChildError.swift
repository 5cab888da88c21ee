/// How a child process ended.
package enum ChildExit: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
}

/// Why a child process gave no answer.
package enum ChildError: Error, Sendable, Equatable {
    /// The program could not be started; the error number says why.
    case cannotStart(FilePath, ErrorNumber)
    /// The deadline passed; the child is ended with the value that stands for it.
    case timedOut(FilePath)
    /// The child wrote more than `limit` bytes, or a line longer than that.
    case outputTooLarge(FilePath, limit: Int)
    case system(SystemError)
}
