import CLibcrypto
import SecretMemory

/// The part of memory in which libcrypto keeps private values: guarded, locked, left out of core
/// dumps, wiped on release (`CRYPTO_secure_malloc_init`).
package enum SecureHeap {
    /// Room for a few thousand private values. The kernel's usual limit for locked memory is 8 MB.
    private static let byteCount = 256 * 1024
    private static let smallestBlock = 32

    /// Makes it ready, once. Every private key does so before it exists, and with it libcrypto's
    /// generator of random numbers, which nothing before a private key needs. Programs that touch
    /// no key start without it.
    package static func prepare() {
        _ = isReady
    }

    /// What is in use, for tests: 0 when libcrypto keeps private values elsewhere.
    package static var usedByteCount: Int { isReady ? CRYPTO_secure_used() : 0 }

    private static let isReady: Bool = {
        switch CRYPTO_secure_malloc_init(byteCount, smallestBlock) {
        case 1:
            return true
        case 2:
            // Ready, and not locked.
            SecretMemory.noteUnlocked()
            return true
        default:
            SecretMemory.noteUnlocked()
            return false
        }
    }()
}
