package import SecretMemory

extension SecretBytes {
    /// Guarded memory, or the error that key back ends have for its lack.
    package static func allocated(_ count: Int) throws(SigningKeyError) -> SecretBytes {
        do {
            return try SecretBytes(count: count)
        } catch {
            throw .outOfSecretMemory
        }
    }
}
