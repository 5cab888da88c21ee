import CLibcrypto
import ES256
import Libcrypto
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
        return try scheme.cipher.decrypt(ciphertext, key: key)
    }
}
