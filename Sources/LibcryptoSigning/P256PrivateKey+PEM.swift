package import ES256
package import SecretMemory

extension P256PrivateKey {
    /// Reads the one private key of a PEM text: PKCS#8, SEC1 with or without a block of its
    /// `EC PARAMETERS`, or encrypted PKCS#8. Nothing else may stand in the text; DER is refused,
    /// so that there is one form in which keys are kept.
    ///
    /// - Parameter passphrase: asked once, and only for an encrypted key; its bytes are taken as
    ///   they are. `nil` means that there is none to be had.
    package static func load(
        pem text: borrowing SecretBytes,
        passphrase: () throws(PrivateKeyError) -> SecretBytes?
    ) throws(PrivateKeyError) -> P256PrivateKey {
        let file = try text.withSpan { span throws(PrivateKeyError) in
            try PrivateKeyFile.read(span)
        }
        switch file.form {
        case .sec1(let hasParameters):
            return try file.der.withSpan { text throws(PrivateKeyError) in
                let parts = try PrivateKeyDER(
                    sec1: 0..<text.count, of: text, isCurveKnown: hasParameters)
                return try key(parts, of: text)
            }
        case .pkcs8:
            return try file.der.withSpan(key(pkcs8:))
        case .encryptedPKCS8:
            let encryption = try file.der.withSpan { span throws(PrivateKeyError) in
                try EncryptedPrivateKey(span)
            }
            guard let passphrase = try passphrase() else { throw .passphraseNeeded }
            return try encryption.decrypt(passphrase: passphrase).withSpan(key(pkcs8:))
        }
    }

    private static func key(pkcs8 text: Span<UInt8>) throws(PrivateKeyError) -> P256PrivateKey {
        try key(PrivateKeyDER(pkcs8: text), of: text)
    }

    private static func key(
        _ parts: PrivateKeyDER, of text: Span<UInt8>
    ) throws(PrivateKeyError) -> P256PrivateKey {
        let key = try P256PrivateKey(scalar: text.extracting(parts.scalar))
        for half in parts.publicHalves
        where !half.map({ text[$0] }).elementsEqual(key.publicKey.uncompressedPoint) {
            throw .publicHalfMismatch
        }
        return key
    }
}
