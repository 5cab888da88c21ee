package import ES256
package import Libcrypto
package import LibcryptoSigning
package import SigningKeys

/// A private key out of a file, in this process.
package struct FileKey: SigningKey {
    private let key: P256PrivateKey

    package init(_ key: P256PrivateKey) {
        self.key = key
    }

    package var publicKey: P256PublicKey { key.publicKey }

    package func sign(_ digest: SHA256Digest) throws(SigningKeyError) -> [UInt8] {
        do {
            return try key.sign(digest)
        } catch {
            throw .libcrypto(error)
        }
    }
}
