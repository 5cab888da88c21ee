/// Why a file could not be read, made or locked.
package enum FileError: Error, Sendable, Equatable {
    case system(SystemError)
    /// More than `limit` bytes; nothing beyond the limit was read.
    case tooLarge(FilePath, limit: Int)
    /// A folder, device, socket or (for an output) pipe where a file should be.
    case notRegular(FilePath, FileKind)
    /// An output is there already and was not to be replaced.
    case exists(FilePath)
    /// The path, or a step of it, is a symbolic link where none is followed.
    case isLink(FilePath)
    /// Another process, or another thread of this one, holds the lock; `holder` is its process id
    /// where the kernel says it.
    case locked(FilePath, holder: Int32?)
    /// Not a name below a folder: empty, absolute, or with `..` or a zero byte.
    case invalidName(FilePath)

    /// The error number, where a system call failed.
    package var number: ErrorNumber? {
        if case .system(let error) = self { error.number } else { nil }
    }

    package var isNotFound: Bool { number == .notFound }
}
