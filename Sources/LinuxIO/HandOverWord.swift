import CLinux

/// The word that goes to and fro.
@safe final class HandOverWord: Sendable {
    static let idle: UInt32 = 0
    static let asked: UInt32 = 1
    /// Nobody asks any more, or nobody waits for the answer.
    static let over: UInt32 = 2

    // Every access is one of CLinux's, which are atomic.
    private nonisolated(unsafe) let address: UnsafeMutablePointer<UInt32>

    init(_ value: UInt32) {
        unsafe address = .allocate(capacity: 1)
        unsafe address.initialize(to: value)
    }

    deinit {
        unsafe address.deallocate()
    }

    func set(_ value: UInt32) {
        unsafe grona_word_set(address, value)
    }

    func replace(_ expected: UInt32, with value: UInt32) -> Bool {
        unsafe grona_word_replace(address, expected, value) == 1
    }

    func wait(whileIt unwanted: UInt32, until deadline: UInt64) -> UInt32 {
        unsafe grona_word_wait(address, unwanted, deadline)
    }
}
