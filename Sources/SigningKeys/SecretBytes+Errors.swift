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

    /// Drops one LF or CRLF at the end, with which editors end a file.
    package mutating func dropLineEnd() {
        for end in [UInt8(ascii: "\n"), UInt8(ascii: "\r")] {
            let count = count
            guard withSpan({ count > 0 && $0[count - 1] == end }) else { return }
            shrink(to: count - 1)
        }
    }
}
