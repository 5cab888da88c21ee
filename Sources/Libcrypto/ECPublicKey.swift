import CLibcrypto

/// A public key on P-256, for verifying; safe to share between threads.
package final class ECPublicKey: Sendable {
    private let key: KeyHandle
    private let pool = KeyContextPool()

    /// - Parameter uncompressedPoint: 65 bytes, 04 then X and Y (SEC 1, 2.3.3).
    /// - Throws: where the point is not on the curve, or libcrypto cannot do P-256.
    package init(uncompressedPoint: [UInt8]) throws(LibcryptoError) {
        key = try KeyHandle.p256(publicPoint: uncompressedPoint)
    }

    /// Whether a signature over a SHA-256 digest is this key's (FIPS 186-5, 6.4.2).
    ///
    /// - Parameter der: an `ECDSA-Sig-Value` (RFC 3279, 2.2.3). Values outside 1…n−1 never verify.
    /// - Returns: `false` also where libcrypto fails, so that a fault never passes for a signature.
    package func verify(_ digest: SHA256Digest, der: [UInt8]) -> Bool {
        let hash = digest.bytes
        let verdict = unsafe pool.withContext(
            of: key,
            prepare: { context in unsafe EVP_PKEY_verify_init(context) },
            do: { context in unsafe EVP_PKEY_verify(context, der, der.count, hash, hash.count) })
        guard verdict == 1 else {
            // A signature that does not hold leaves its reason in the queue.
            ERR_clear_error()
            return false
        }
        return true
    }
}

extension KeyHandle {
    /// The public key at a point of P-256, checked to be on the curve.
    static func p256(publicPoint: [UInt8]) throws(LibcryptoError) -> KeyHandle {
        ERR_clear_error()
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        else { throw LibcryptoError(draining: "EVP_PKEY_CTX_new_from_name") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1
        else { throw LibcryptoError(draining: "EVP_PKEY_fromdata_init") }

        var point = publicPoint
        var made: OpaquePointer?
        let done = unsafe point.withUnsafeMutableBufferPointer { point in
            var parameters = unsafe [
                grona_p256_parameter(),
                grona_public_point_parameter(point.baseAddress, point.count),
                OSSL_PARAM_construct_end(),
            ]
            return unsafe EVP_PKEY_fromdata(
                context, &made, grona_public_key_selection(), &parameters)
        }
        guard done == 1, let made = unsafe made
        else { throw LibcryptoError(draining: "EVP_PKEY_fromdata") }
        return unsafe KeyHandle(owning: made)
    }
}
