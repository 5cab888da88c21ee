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
        return bytes
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
