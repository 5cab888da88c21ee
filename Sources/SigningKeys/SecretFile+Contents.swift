package import LinuxIO
package import SecretMemory

extension SecretFile {
    /// The contents of a checked file, read straight into guarded memory.
    ///
    /// - Parameter limit: in bytes.
    package static func contents(
        of path: FilePath, limit: Int, holding kind: SecretKind, trusting owners: TrustedOwners,
        credentials: FilePath?
    ) throws(SigningKeyError) -> SecretBytes {
        let read = try checked(
            path, limit: limit, holding: kind, trusting: owners, credentials: credentials
        )
        return read.bytes
    }

    /// The same with the facts of the file that was read.
    package static func checked(
        _ path: FilePath, limit: Int, holding kind: SecretKind, trusting owners: TrustedOwners,
        credentials: FilePath?
    ) throws(SigningKeyError) -> CheckedSecret {
        let file = try open(path, holding: kind, trusting: owners, credentials: credentials)
        guard file.size <= limit
        else { throw .secretFile(.tooLarge(path, limit: limit), holding: kind) }
        var bytes = try SecretBytes.allocated(file.size)
        let count = try bytes.withMutableSpan { span throws(SigningKeyError) in
            do throws(SecretFileError) {
                return try file.read(into: &span)
            } catch {
                throw SigningKeyError.secretFile(error, holding: kind)
            }
        }
        bytes.shrink(to: count)
        return CheckedSecret(bytes: bytes, status: file.status)
    }

    private static func open(
        _ path: FilePath, holding kind: SecretKind, trusting owners: TrustedOwners,
        credentials: FilePath?
    ) throws(SigningKeyError) -> SecretFile {
        do {
            return try SecretFile(at: path, trusting: owners, credentials: credentials)
        } catch {
            throw .secretFile(error, holding: kind)
        }
    }
}

/// What was read from a file with a secret.
package struct CheckedSecret: ~Copyable {
    package var bytes: SecretBytes
    package let status: FileStatus
}
