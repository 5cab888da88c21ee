import CLibcrypto
package import ES256
package import Libcrypto
import SecretMemory

/// A private key on P-256 in OpenSSL's secure heap; safe to share between threads.
package final class P256PrivateKey: Sendable {
    package let publicKey: P256PublicKey
    let key: KeyHandle
    private let pool = KeyContextPool()

    static let scalarByteCount = 32

    /// A new key: a private value drawn evenly from 1…n−1 (FIPS 186-5, A.2.2).
    package static func generate() throws(PrivateKeyError) -> P256PrivateKey {
        SecureHeap.prepare()
        var scalar = try SecretBytes.allocated(scalarByteCount)
        while true {
            let done = scalar.withMutableSpan { span in
                unsafe span.withUnsafeMutableBufferPointer { buffer in
                    unsafe RAND_priv_bytes(buffer.baseAddress, Int32(buffer.count))
                }
            }
            guard done == 1 else { throw .libcrypto(LibcryptoError(draining: "RAND_priv_bytes")) }
            // One draw in 2^32 is out of range.
            if scalar.withSpan({ P256Order.contains($0) }) { break }
        }
        return try scalar.withSpan { span throws(PrivateKeyError) in
            try P256PrivateKey(scalar: span)
        }
    }

    /// - Parameter scalar: the private value, 32 bytes, the highest first, in 1…n−1.
    package init(scalar: Span<UInt8>) throws(PrivateKeyError) {
        guard scalar.count == Self.scalarByteCount else { throw .scalarLength(scalar.count) }
        guard P256Order.contains(scalar) else { throw .scalarOutOfRange }
        SecureHeap.prepare()
        do {
            let number = try BigNumber.secret(scalar)
            let point = try P256Group.multiplyBase(by: number)
            key = try KeyHandle.p256(privateValue: number, publicPoint: point)
            publicKey = try P256PublicKey(uncompressedPoint: point)
        } catch let error as LibcryptoError {
            throw .libcrypto(error)
        } catch {
            // The point came from libcrypto itself.
            throw .publicHalfMismatch
        }
    }

    /// Signs a SHA-256 digest (FIPS 186-5, 6.4.1).
    ///
    /// - Returns: R then S, 64 bytes (RFC 7518, 3.4).
    package func sign(_ digest: SHA256Digest) throws(LibcryptoError) -> [UInt8] {
        ERR_clear_error()
        let hash = digest.bytes
        var der = [UInt8](repeating: 0, count: 72)
        var count = der.count
        let done = unsafe pool.withContext(
            of: key,
            prepare: { context in unsafe EVP_PKEY_sign_init(context) },
            do: { context in unsafe EVP_PKEY_sign(context, &der, &count, hash, hash.count) })
        guard done == 1, count <= der.count,
            let raw = ECDSASignature.rawFromDER(der.span.extracting(first: count))
        else { throw LibcryptoError(draining: "EVP_PKEY_sign") }
        return raw
    }
}

extension SecretBytes {
    /// Guarded memory, or the error that key readers and writers have for its lack.
    static func allocated(_ count: Int) throws(PrivateKeyError) -> SecretBytes {
        do {
            return try SecretBytes(count: count)
        } catch {
            throw .outOfSecretMemory
        }
    }
}
