import CLinux
internal import Glibc

/// A system call that failed: which, on what, with which error number.
package struct SystemError: Error, Sendable, Equatable {
    /// The name of the call, such as `openat`.
    package let operation: String
    package let path: FilePath?
    package let errno: Int32

    package init(operation: String, path: FilePath?, errno: Int32) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    init(_ operation: String, _ path: FilePath?, _ number: ErrorNumber) {
        self.init(operation: operation, path: path, errno: number.rawValue)
    }

    /// The failure of the call that has just been made on this thread.
    static func last(_ operation: String, _ path: FilePath?) -> SystemError {
        SystemError(operation: operation, path: path, errno: Glibc.errno)
    }

    package var number: ErrorNumber { ErrorNumber(rawValue: errno) }
}

/// An `errno` value.
package struct ErrorNumber: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The error number that the last call on this thread left.
    static var last: ErrorNumber { ErrorNumber(rawValue: Glibc.errno) }

    package static let notFound = ErrorNumber(rawValue: ENOENT)
    package static let notAFolder = ErrorNumber(rawValue: ENOTDIR)
    package static let isFolder = ErrorNumber(rawValue: EISDIR)
    package static let notEmpty = ErrorNumber(rawValue: ENOTEMPTY)
    package static let exists = ErrorNumber(rawValue: EEXIST)
    package static let noPermission = ErrorNumber(rawValue: EACCES)
    package static let notPermitted = ErrorNumber(rawValue: EPERM)
    package static let readOnlyFileSystem = ErrorNumber(rawValue: EROFS)
    package static let tooManyLinks = ErrorNumber(rawValue: ELOOP)
    package static let nameTooLong = ErrorNumber(rawValue: ENAMETOOLONG)
    package static let noSpace = ErrorNumber(rawValue: ENOSPC)
    package static let quota = ErrorNumber(rawValue: EDQUOT)
    package static let fileTooLarge = ErrorNumber(rawValue: EFBIG)
    package static let brokenPipe = ErrorNumber(rawValue: EPIPE)
    package static let interrupted = ErrorNumber(rawValue: EINTR)
    package static let wouldBlock = ErrorNumber(rawValue: EAGAIN)
    package static let timedOut = ErrorNumber(rawValue: ETIMEDOUT)
    package static let invalidArgument = ErrorNumber(rawValue: EINVAL)
    package static let noSuchDevice = ErrorNumber(rawValue: ENXIO)
    package static let otherFileSystem = ErrorNumber(rawValue: EXDEV)
    package static let noSuchCall = ErrorNumber(rawValue: ENOSYS)
    package static let notSupported = ErrorNumber(rawValue: EOPNOTSUPP)
    package static let badDescriptor = ErrorNumber(rawValue: EBADF)
    package static let tooManyOpenFiles = ErrorNumber(rawValue: EMFILE)
    package static let inputOutput = ErrorNumber(rawValue: EIO)
    package static let notExecutable = ErrorNumber(rawValue: ENOEXEC)

    /// The C library's text, such as "No such file or directory"; never translated.
    package var text: String {
        unsafe String(cString: grona_error_text(rawValue))
    }

    /// The C library's name, such as "ENOENT", or the number in decimal.
    package var name: String {
        guard let name = unsafe grona_error_name(rawValue) else { return String(rawValue) }
        return unsafe String(cString: name)
    }
}
