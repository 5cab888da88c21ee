import ES256

/// The parameters of PBES2 (RFC 8018, A.4).
struct PBES2 {
    let derivation: KeyDerivation
    let cipher: CBCCipher

    /// - Parameter range: the contents of an `AlgorithmIdentifier`.
    init(_ range: Range<Int>, of text: Span<UInt8>) throws(PrivateKeyError) {
        var fields = DERReader(range)
        guard let algorithm = fields.read(DERTag.objectIdentifier, in: text)
        else { throw .malformed }
        let identifier = ObjectIdentifier(algorithm, of: text)
        guard identifier == .pbes2 else { throw .unsupportedEncryption(identifier) }
        guard let parameters = fields.read(DERTag.sequence, in: text), fields.isAtEnd
        else { throw .malformed }
        var parts = DERReader(parameters)
        guard let derivation = parts.read(DERTag.sequence, in: text),
            let cipher = parts.read(DERTag.sequence, in: text), parts.isAtEnd
        else { throw .malformed }
        self.cipher = try CBCCipher(cipher, of: text)
        self.derivation = try KeyDerivation(
            derivation, of: text, keyByteCount: self.cipher.keyByteCount)
    }

    init(derivation: KeyDerivation, cipher: CBCCipher) {
        self.derivation = derivation
        self.cipher = cipher
    }
}

extension ObjectIdentifier {
    /// 1.2.840.113549.1.5.13 (RFC 8018, A.4).
    static let pbes2 = pkcs5(13)
    /// 1.2.840.113549.1.5.12 (RFC 8018, A.2).
    static let pbkdf2 = pkcs5(12)
    /// 1.3.6.1.4.1.11591.4.11 (RFC 7914, 7).
    static let scrypt = Self(contents: [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B])

    private static func pkcs5(_ arc: UInt8) -> Self {
        Self(contents: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, arc])
    }
}
