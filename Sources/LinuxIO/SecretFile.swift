import CLinux
internal import Glibc

/// Why a file that holds a secret is not read.
package enum SecretFileError: Error, Sendable, Equatable {
    case system(SystemError)
    /// The path is a link, or below the credentials folder one that leads out of it.
    case isLink(FilePath)
    case notRegular(FilePath, FileKind)
    /// The owner is not a trusted one.
    case foreignOwner(FilePath, FileStatus)
    /// The group or others have access.
    case openToOthers(FilePath, FileStatus)
    /// More than `limit` bytes.
    case tooLarge(FilePath, limit: Int)
}

/// A file with a key, a PIN or a passphrase, checked on its open descriptor.
///
/// It is a regular file of a trusted owner without any access for group or others, and its path
/// does not end in a link. Below the credentials folder of systemd (`$CREDENTIALS_DIRECTORY`) links
/// that stay below it are followed and the group may read.
package struct SecretFile: ~Copyable {
    private let file: OpenFile
    package let status: FileStatus

    package var path: FilePath { file.path }

    /// The size in bytes when it was opened; a buffer of one more shows a file that has grown.
    package var size: Int { status.size }

    package init(
        at path: FilePath, trusting owners: TrustedOwners,
        credentials: FilePath? = Environment.path("CREDENTIALS_DIRECTORY")
    ) throws(SecretFileError) {
        let relative = credentials.flatMap { path.relative(to: $0) }
        let isCredential = relative.map { !$0.components.contains("..") } ?? false
        let file = try SecretFile.open(path, isCredential ? relative : nil, credentials)
        let status: FileStatus
        do { status = try file.status() } catch { throw .system(error) }
        guard status.kind == .regular else { throw .notRegular(path, status.kind) }
        guard owners.contains(status.owner) else { throw .foreignOwner(path, status) }
        let forbidden: UInt32 = isCredential ? 0o037 : 0o077
        guard status.permissions & forbidden == 0 else { throw .openToOthers(path, status) }
        self.file = file
        self.status = status
    }

    /// Reads the whole file into memory of the caller's; answers the number of bytes. Throws
    /// `tooLarge` when there is more than the buffer holds.
    package borrowing func read(
        into buffer: inout MutableSpan<UInt8>
    ) throws(SecretFileError) -> Int {
        let limit = buffer.count
        let (file, path) = (file.descriptor, path)
        return try unsafe buffer.withUnsafeMutableBytes { bytes throws(SecretFileError) in
            var filled = 0
            var surplus: UInt8 = 0
            while true {
                let count =
                    filled < limit
                    ? unsafe pread(
                        file, bytes.baseAddress.map { unsafe $0 + filled }, limit - filled, filled)
                    : unsafe pread(file, &surplus, 1, filled)
                if count == 0 { return filled }
                if count > 0, filled == limit { throw .tooLarge(path, limit: limit) }
                if count > 0 {
                    filled += count
                } else if ErrorNumber.last != .interrupted {
                    throw .system(.last("pread", path))
                }
            }
        }
    }

    private static func open(
        _ path: FilePath, _ relative: FilePath?, _ credentials: FilePath?
    ) throws(SecretFileError) -> OpenFile {
        do throws(SystemError) {
            guard let relative, let credentials else {
                return try OpenFile(path, [.nonBlocking, .noFollow])
            }
            return try open(relative, in: credentials, as: path)
        } catch {
            throw classify(error, path)
        }
    }

    /// Opens below the credentials folder; without `openat2` no link in the last step is followed
    /// there either.
    private static func open(
        _ relative: FilePath, in credentials: FilePath, as path: FilePath
    ) throws(SystemError) -> OpenFile {
        let folder = try OpenFile(credentials, [.folder])
        let name = try relative.cString("openat2")
        let resolve = UInt64(GRONA_RESOLVE_BENEATH | GRONA_RESOLVE_NO_MAGICLINKS)
        let opened = unsafe grona_openat2(
            folder.descriptor, name, O_RDONLY | O_NONBLOCK, 0, resolve)
        if opened >= 0 { return OpenFile(owning: opened, path: path) }
        switch ErrorNumber.last {
        case .noSuchCall, .notPermitted:
            return try OpenFile(path, [.nonBlocking, .noFollow])
        default: throw SystemError.last("openat2", path)
        }
    }

    private static func classify(_ error: SystemError, _ path: FilePath) -> SecretFileError {
        switch error.number {
        case .tooManyLinks, .otherFileSystem: .isLink(path)
        case .noSuchDevice: .notRegular(path, .socket)
        default: .system(error)
        }
    }
}
