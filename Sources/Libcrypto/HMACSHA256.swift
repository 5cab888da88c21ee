import CLibcrypto

/// HMAC-SHA-256 under one key (RFC 2104), used again for many messages.
@safe package struct HMACSHA256: ~Copyable {
    private let context: OpaquePointer

    /// The key is copied into memory that libcrypto wipes on release.
    package init(key: Span<UInt8>) throws(LibcryptoError) {
        ERR_clear_error()
        guard let algorithm = unsafe EVP_MAC_fetch(nil, OSSL_MAC_NAME_HMAC, nil)
        else { throw LibcryptoError(draining: "EVP_MAC_fetch") }
        defer { unsafe EVP_MAC_free(algorithm) }
        guard let context = unsafe EVP_MAC_CTX_new(algorithm)
        else { throw LibcryptoError(draining: "EVP_MAC_CTX_new") }

        let parameters = unsafe [grona_sha256_parameter(), OSSL_PARAM_construct_end()]
        let done = unsafe key.withUnsafeBufferPointer { key in
            // A null key means "the key of before", so an empty one needs an address.
            var none: UInt8 = 0
            return unsafe withUnsafePointer(to: &none) { none in
                unsafe EVP_MAC_init(context, key.baseAddress ?? none, key.count, parameters)
            }
        }
        guard done == 1 else {
            unsafe EVP_MAC_CTX_free(context)
            throw LibcryptoError(draining: "EVP_MAC_init")
        }
        unsafe self.context = unsafe context
    }

    deinit {
        unsafe EVP_MAC_CTX_free(context)
    }

    package mutating func code(for message: Span<UInt8>) throws(LibcryptoError) -> SHA256Digest {
        ERR_clear_error()
        guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1
        else { throw LibcryptoError(draining: "EVP_MAC_init") }
        let updated = unsafe message.withUnsafeBufferPointer { message in
            unsafe EVP_MAC_update(context, message.baseAddress, message.count)
        }
        guard updated == 1 else { throw LibcryptoError(draining: "EVP_MAC_update") }

        var written: [32 of UInt8] = .init(repeating: 0)
        var span = written.mutableSpan
        var count = 0
        let done = unsafe span.withUnsafeMutableBufferPointer { buffer in
            unsafe EVP_MAC_final(context, buffer.baseAddress, &count, buffer.count)
        }
        guard done == 1, count == SHA256Digest.byteCount
        else { throw LibcryptoError(draining: "EVP_MAC_final") }
        return SHA256Digest(written: written)
    }

    package mutating func code(for message: [UInt8]) throws(LibcryptoError) -> SHA256Digest {
        try code(for: message.span)
    }
}
