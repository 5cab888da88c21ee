import CLibcrypto
package import ES256
import Libcrypto
package import SecretMemory

extension P256PrivateKey {
    /// Rounds of PBKDF2 with HMAC-SHA-256 for keys that this program writes (the figure of OWASP's
    /// password storage cheat sheet): about a third of a second for each guess.
    package static let writtenIterations = 600_000

    private static let saltByteCount = 16

    /// PKCS#8 in PEM (RFC 7468, 10), unencrypted.
    package func pkcs8PEM() throws(PrivateKeyError) -> SecretBytes {
        try PEMWriter.write(label: "PRIVATE KEY", der: try pkcs8DER())
    }

    /// Encrypted PKCS#8 in PEM (RFC 7468, 11): PBES2 with PBKDF2, HMAC-SHA-256 and AES-256-CBC.
    ///
    /// - Parameter passphrase: its bytes as they are. An empty one is `passphraseNeeded`.
    package func encryptedPKCS8PEM(
        passphrase: borrowing SecretBytes, iterations: Int = writtenIterations
    ) throws(PrivateKeyError) -> SecretBytes {
        guard !passphrase.isEmpty else { throw .passphraseNeeded }
        let salt = try Self.randomBytes(Self.saltByteCount)
        let cipher = CBCCipher(
            size: .aes256, initialVector: try Self.randomBytes(CBCCipher.blockByteCount))
        let derivation = KeyDerivation.pbkdf2(salt: salt, iterations: iterations, hash: .sha256)
        let key = try derivation.key(passphrase: passphrase, byteCount: cipher.keyByteCount)
        let encrypted = try pkcs8DER().withSpan { text throws(PrivateKeyError) in
            try cipher.encrypt(text, key: key)
        }

        let pbkdf2 = DERWriter.sequence(
            DERWriter.identifier(.pbkdf2),
            DERWriter.sequence(
                DERWriter.element(DERTag.octetString, salt),
                DERWriter.integer(iterations),
                DERWriter.sequence(
                    DERWriter.identifier(KeyDerivation.Hash.sha256.identifier),
                    DERWriter.element(DERTag.null, []))))
        let aes = DERWriter.sequence(
            DERWriter.identifier(cipher.identifier),
            DERWriter.element(DERTag.octetString, cipher.initialVector))
        let scheme = DERWriter.sequence(
            DERWriter.identifier(.pbes2), DERWriter.sequence(pbkdf2, aes))
        // A ciphertext is no secret.
        let octets = encrypted.withSpan { span in
            DERWriter.element(DERTag.octetString, span.indices.map { span[$0] })
        }
        let info = DERWriter.sequence(scheme, octets)
        var der = try SecretBytes.allocated(info.count)
        der.withMutableSpan { span in
            for index in info.indices { span[index] = info[index] }
        }
        return try PEMWriter.write(label: "ENCRYPTED PRIVATE KEY", der: der)
    }

    /// The `PrivateKeyInfo` (RFC 5208, 5) around an `ECPrivateKey` (RFC 5915, 3) with its public
    /// half, 138 bytes: all of it is fixed but the private value and the point.
    private func pkcs8DER() throws(PrivateKeyError) -> SecretBytes {
        let head: [UInt8] = [
            0x30, 0x81, 0x87, 0x02, 0x01, 0x00,
            0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
            0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
            0x04, 0x6D, 0x30, 0x6B, 0x02, 0x01, 0x01, 0x04, 0x20,
        ]
        let middle: [UInt8] = [0xA1, 0x44, 0x03, 0x42, 0x00]
        let tail = middle + publicKey.uncompressedPoint
        let number = try privateValue()
        let scalarEnd = head.count + Self.scalarByteCount
        var der = try SecretBytes.allocated(scalarEnd + tail.count)
        let done = der.withMutableSpan { span in
            for index in head.indices { span[index] = head[index] }
            for index in tail.indices { span[scalarEnd + index] = tail[index] }
            return number.write(to: &span, at: head.count..<scalarEnd)
        }
        guard done else { throw .libcrypto(LibcryptoError(draining: "BN_bn2binpad")) }
        return der
    }

    private func privateValue() throws(PrivateKeyError) -> BigNumber {
        do {
            return try key.privateValue()
        } catch {
            throw .libcrypto(error)
        }
    }

    private static func randomBytes(_ count: Int) throws(PrivateKeyError) -> [UInt8] {
        ERR_clear_error()
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe RAND_bytes(&bytes, Int32(count)) == 1
        else { throw .libcrypto(LibcryptoError(draining: "RAND_bytes")) }
        return bytes
    }
}
