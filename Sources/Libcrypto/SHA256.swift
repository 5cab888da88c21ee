import CLibcrypto

/// SHA-256 (FIPS 180-4) of whole messages.
package enum SHA256 {
    package static func digest(_ bytes: [UInt8]) -> SHA256Digest {
        digest(bytes.span)
    }

    package static func digest(_ bytes: Span<UInt8>) -> SHA256Digest {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.finish()
    }
}

/// SHA-256 of a message that comes in pieces; used again after `finish()`, without an allocation.
@safe package struct SHA256Hasher: ~Copyable {
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new() else { endWithoutMemory() }
        unsafe self.context = unsafe context
        start()
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        let done = unsafe bytes.withUnsafeBytes { buffer in
            unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
        }
        guard done == 1 else { endWithoutMemory() }
    }

    package mutating func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// The digest of all that was given since the last call; the hasher is empty afterwards.
    package mutating func finish() -> SHA256Digest {
        var written: [32 of UInt8] = .init(repeating: 0)
        var span = written.mutableSpan
        let done = unsafe span.withUnsafeMutableBufferPointer { buffer in
            unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
        }
        guard done == 1 else { endWithoutMemory() }
        start()
        return SHA256Digest(written: written)
    }

    private func start() {
        guard unsafe EVP_DigestInit_ex2(context, SHA256Algorithm.shared.algorithm, nil) == 1
        else { endWithoutMemory() }
    }
}

/// The implementation of SHA-256, looked up once: each fetch costs more than hashing a grant.
@safe final class SHA256Algorithm: @unchecked Sendable {
    // Never changed after the start and counted by reference inside libcrypto, hence Sendable.
    static let shared = SHA256Algorithm()

    let algorithm: OpaquePointer

    private init() {
        // A configuration file of OpenSSL may leave no provider with SHA-256. Digests tie the logs
        // together and must not depend on that, so a library context of our own, which reads no
        // configuration, stands in. Keys and signatures still fail with OpenSSL's own words.
        if let found = unsafe EVP_MD_fetch(nil, "SHA2-256", nil) {
            unsafe algorithm = unsafe found
        } else if let context = unsafe OSSL_LIB_CTX_new(),
            let found = unsafe EVP_MD_fetch(context, "SHA2-256", nil)
        {
            ERR_clear_error()
            unsafe algorithm = unsafe found
        } else {
            endWithoutMemory()
        }
    }
}

/// Ends the process as OpenSSL does where it cannot go on: reached only when memory is exhausted,
/// where Swift's own allocations end the process too.
func endWithoutMemory() -> Never {
    unsafe OPENSSL_die("no memory for SHA-256", "Libcrypto", 0)
}
