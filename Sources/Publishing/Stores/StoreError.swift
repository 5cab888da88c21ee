package import HTTPTransport
package import LinuxIO

/// Why a store could not be asked; nothing was changed in it.
package enum StoreError: Error, Sendable, Equatable {
    /// A kind of store that this program does not have; the address.
    case unknownKind(String)
    /// An address of a kind that is known, which is not of its form.
    case address(String, StoreAddress.Problem)
    /// The folder is not there, or is something else.
    case noFolder(FilePath, FileError)
    case file(FileError, during: Access)
    /// No answer came.
    case noAnswer(HTTPFailure, during: Access)
    /// 401 or 403, with the store's own code where it gave one.
    case denied(status: Int, code: String?, during: Access)
    /// 429 or 5xx, after all retries.
    case busy(status: Int)
    /// A redirect, which is never followed.
    case redirected(status: Int)
    /// Another status than the store may answer here.
    case rejected(status: Int, code: String?, during: Access)
    /// A page in the place of a document, as of a sign-in; its media type.
    case notADocument(String)
    /// What is there has no entity tag by which it could be replaced.
    case noTag
    /// The entity tag stayed weak, so it satisfies no condition.
    case weakTag
    /// A list of objects that is none.
    case malformedList

    package enum Access: Sendable, Equatable {
        case reading
        case writing
    }
}
