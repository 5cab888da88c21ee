package import LinuxIO

/// Why a store could not be asked; nothing was changed in it.
package enum StoreError: Error, Sendable, Equatable {
    /// A kind of store that this program does not have; the address.
    case unknownKind(String)
    /// The folder is not there, or is something else.
    case noFolder(FilePath, FileError)
    case file(FileError, during: Access)

    package enum Access: Sendable, Equatable {
        case reading
        case writing
    }
}
