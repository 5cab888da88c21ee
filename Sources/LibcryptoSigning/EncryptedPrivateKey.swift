import ES256
import SecretMemory

/// An `EncryptedPrivateKeyInfo` (RFC 5208, 6) under PBES2 (RFC 8018, 6.2).
struct EncryptedPrivateKey {
    private let scheme: PBES2
    private let ciphertext: [UInt8]

    init(_ text: Span<UInt8>) throws(PrivateKeyError) {
        var outer = DERReader(0..<text.count)
        guard let info = outer.read(DERTag.sequence, in: text) else { throw .malformed }
        guard outer.isAtEnd else { throw .trailingData }
        var fields = DERReader(info)
        guard let algorithm = fields.read(DERTag.sequence, in: text),
            let octets = fields.read(DERTag.octetString, in: text), fields.isAtEnd
        else { throw .malformed }
        scheme = try PBES2(algorithm, of: text)
        ciphertext = octets.map { text[$0] }
    }

    /// The `PrivateKeyInfo` in DER.
    func decrypt(passphrase: borrowing SecretBytes) throws(PrivateKeyError) -> SecretBytes {
        let key = try scheme.derivation.key(
            passphrase: passphrase, byteCount: scheme.cipher.keyByteCount)
        let text = try scheme.cipher.decrypt(ciphertext, key: key)
        // One wrong key in 256 leaves a padding that looks right, but no SEQUENCE of this length.
        let isSequence = text.withSpan { span in
            var outer = DERReader(0..<span.count)
            return outer.read(DERTag.sequence, in: span) != nil && outer.isAtEnd
        }
        guard isSequence else { throw .wrongPassphrase }
        return text
    }
}
