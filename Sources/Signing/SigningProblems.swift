package import GronaFormats
package import Ledger
package import LinuxIO

/// Why a version is not taken.
package enum VersionProblem: Error, Hashable, Sendable {
    /// Too far above the highest that is known.
    case jump(ConfigVersion, highest: Int64)
    /// The number has another payload; `next` is free.
    case reused(ConfigVersion, next: ConfigVersion?)
    /// A bundle-only workspace signs above all that the log knows.
    case notAbove(ConfigVersion, highest: Int64, next: ConfigVersion?)
    /// 2^53−1 was reached.
    case noneLeft
    /// A version to be given up under which nothing was signed or adopted.
    case unknown(ConfigVersion)
}

/// Why times are not taken (signed-configuration: Time values).
package enum TimeProblem: Error, Hashable, Sendable {
    case issuedAtOutOfBounds(UnixTime)
    /// Further ahead of the clock than allowed.
    case issuedAtAhead(UnixTime, now: UnixTime)
    /// The clock itself is outside 2020–2100.
    case clockOutOfBounds(UnixTime)
    case lifetimeNotPositive(LifetimeKind)
    /// More than the policy, or than any policy, allows.
    case lifetimeTooLong(LifetimeKind, DurationSeconds, cap: DurationSeconds)
    /// It would be over before it is signed.
    case alreadyExpired(UnixTime, now: UnixTime)
}

/// Why no key of the keyring is taken.
package enum KeyringProblem: Error, Hashable, Sendable {
    case noCurrentKey(WorkspaceName, KeyUse)
    case unknownKey(KeyID)
    /// A kid is bound to one key for ever.
    case kidTaken(KeyID)
    /// The key itself is recorded already, under that kid.
    case recordedAlready(KeyID)
    case cannotSign(KeyID, KeyState)
    case otherUse(KeyID, KeyUse)
    /// The keyring is not the one that was last recorded; digests in hex.
    case changed(recorded: String, found: String)
    /// The keyring is as it was before the change that was last recorded.
    case unfinished(recorded: String, found: String)
    /// Nothing is recorded of the keyring, and that is to be an error.
    case firstUse(String)
}

/// Why the signer cannot rely on its memory.
package enum MemoryProblem: Error, Equatable, Sendable {
    case log(LedgerError)
    /// The log grew faster than it could be read.
    case busy
    case issuanceLog(FileError)
}
