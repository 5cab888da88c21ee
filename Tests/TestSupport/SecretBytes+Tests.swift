package import SecretMemory

extension SecretBytes {
    /// A secret that is none: what a test has made up.
    package static func of(_ bytes: [UInt8]) throws -> SecretBytes {
        try SecretBytes(copying: bytes.span)
    }

    package static func of(_ text: String) throws -> SecretBytes {
        try of(Array(text.utf8))
    }

    /// The bytes in ordinary memory, for outside judges.
    package func copied() -> [UInt8] {
        withSpan { span in span.indices.map { span[$0] } }
    }
}
