import CSodium

/// Bytes that no one else may see: between guard pages, locked into memory, left out of core dumps,
/// wiped on release (libsodium's `sodium_malloc`).
///
/// The contents are reached only as a `Span` within a closure. It may go from thread to thread:
/// there is one owner, and only the owner can change or release it.
@safe package struct SecretBytes: ~Copyable, @unchecked Sendable {
    private let address: UnsafeMutableRawPointer
    /// How much was allocated; `count` may have shrunk since.
    private let capacity: Int
    package private(set) var count: Int

    /// `count` zero bytes.
    package init(count: Int) throws(SecretMemoryError) {
        guard count >= 0, SecretMemory.isReady, let address = unsafe sodium_malloc(max(count, 1))
        else { throw .outOfMemory(count: count) }
        // `sodium_malloc` keeps to itself whether it could lock; locking twice is harmless.
        if unsafe sodium_mlock(address, max(count, 1)) != 0 { SecretMemory.noteUnlocked() }
        unsafe sodium_memzero(address, max(count, 1))
        unsafe self.address = unsafe address
        capacity = max(count, 1)
        self.count = count
    }

    /// A copy of bytes that stay in the caller's care.
    package init(copying bytes: Span<UInt8>) throws(SecretMemoryError) {
        try self.init(count: bytes.count)
        withMutableSpan { target in
            for index in bytes.indices { target[index] = bytes[index] }
        }
    }

    deinit {
        unsafe sodium_free(address)
    }

    package var isEmpty: Bool { count == 0 }

    package func withSpan<Answer: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let bytes = unsafe UnsafeRawBufferPointer(start: address, count: count)
        return try body(unsafe bytes.bindMemory(to: UInt8.self).span)
    }

    package mutating func withMutableSpan<Answer: ~Copyable, Failure: Error>(
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let bytes = unsafe UnsafeMutableRawBufferPointer(start: address, count: count)
        let typed = unsafe bytes.bindMemory(to: UInt8.self)
        var span = unsafe typed.mutableSpan
        return try body(&span)
    }

    /// Wipes and gives up what lies behind the first `count` bytes; does nothing when that is more
    /// than there are.
    package mutating func shrink(to count: Int) {
        guard count >= 0, count < self.count else { return }
        unsafe sodium_memzero(address + count, self.count - count)
        self.count = count
    }

    /// Whether the bytes are the same, in a time that depends on the counts only.
    package func isEqual(to other: borrowing SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe sodium_memcmp(address, other.address, count) == 0
    }

    /// Whether the bytes are the same, in a time that depends on the counts only.
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe other.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return true }
            return unsafe sodium_memcmp(address, start, bytes.count) == 0
        }
    }
}
