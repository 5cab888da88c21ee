import CLibcrypto
import Synchronization

/// Contexts of one key for one operation, used again, since making one costs as much as hashing
/// and encoding a grant.
///
/// The key may be shared by threads; a context belongs to one thread at a time, and is handed on
/// here. So there are never more contexts than threads that use the key at once.
@safe package final class KeyContextPool: Sendable {
    private let idle = Mutex<[KeyContext]>([])

    package init() {}

    /// An idle context, or a new one which `prepare` has made ready for the operation.
    package func withContext<Answer, Failure: Error>(
        of key: KeyHandle, prepare: (OpaquePointer) -> Int32,
        do body: (OpaquePointer) throws(Failure) -> Answer
    ) throws(Failure) -> Answer? {
        let context: KeyContext
        if let found = idle.withLock({ $0.popLast() }) {
            context = found
        } else {
            guard let made = KeyContext(key), unsafe prepare(made.pointer) == 1 else { return nil }
            context = made
        }
        defer { idle.withLock { $0.append(context) } }
        return try unsafe body(context.pointer)
    }
}

/// Owner of an `EVP_PKEY_CTX`; unchecked since the pool lends it to one thread at a time.
@safe final class KeyContext: @unchecked Sendable {
    let pointer: OpaquePointer

    init?(_ key: KeyHandle) {
        guard let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil)
        else { return nil }
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EVP_PKEY_CTX_free(pointer)
    }
}

/// Owner of an `EVP_PKEY`, which is never changed after it was made.
///
/// Unchecked since libcrypto lets threads share an unchanging key and counts references to it.
@safe package final class KeyHandle: @unchecked Sendable {
    package let pointer: OpaquePointer

    /// Takes over one reference.
    package init(owning pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }
}
