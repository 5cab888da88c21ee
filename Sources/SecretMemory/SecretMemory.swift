import CSodium
import Synchronization

/// Why there is no guarded memory.
package enum SecretMemoryError: Error, Hashable, Sendable {
    /// The system gives no more, or libsodium finds no source of random numbers for its canaries.
    case outOfMemory(count: Int)
}

/// What is worth telling a person once about guarded memory.
package enum SecretMemoryWarning: Hashable, Sendable {
    /// Secrets may reach swap: `mlock` was refused, as a rule by RLIMIT_MEMLOCK.
    case notLocked
}

/// The state that guarded allocations share.
package enum SecretMemory {
    private static let unlocked = Atomic<Bool>(false)
    private static let reported = Atomic<Bool>(false)

    /// Made ready with the first secret, so that a program which needs none starts without it.
    static let isReady: Bool = sodium_init() >= 0

    /// Notes that a keeper of secrets could not lock its memory.
    package static func noteUnlocked() {
        unlocked.store(true, ordering: .relaxed)
    }

    /// The warning, for the first who asks after locking has failed.
    package static func takeWarning() -> SecretMemoryWarning? {
        guard unlocked.load(ordering: .relaxed),
            !reported.exchange(true, ordering: .relaxed)
        else { return nil }
        return .notLocked
    }
}
