package import GronaFormats
package import Ledger
package import LinuxIO
package import SigningKeys
package import Transitions

/// Why something is not signed. Cases carry data; the commands have the words.
package enum SigningError: Error, Sendable {
    // The source.

    /// The envelope given as `role` fails a row of what a device checks.
    case source(SourceRole, RuleViolation)
    /// The digest stands in no line of the audit log.
    case foreignSource(SourceRole, version: ConfigVersion, digest: String)
    /// Something newer was signed here.
    case staleSource(SourceRole, version: ConfigVersion, floor: Int64)
    /// Signed by a key that is compromised, and not by this signer.
    case compromisedSource(SourceRole, KeyID)
    case transition([TransitionViolation])
    /// A campaign that is named and not there.
    case unknownCampaign(String)

    // Versions.

    case versionJump(ConfigVersion, highest: Int64)
    /// The number has another payload; `next` is free.
    case versionReused(ConfigVersion, next: ConfigVersion?)
    /// A bundle-only workspace signs above all that the log knows.
    case versionNotAbove(ConfigVersion, highest: Int64, next: ConfigVersion?)
    /// 2^53−1 was reached.
    case noVersionLeft

    // Times.

    /// Outside 2020–2100.
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

    // Delivery.

    /// A folder is bundled only where no config is served.
    case deliveryNotBundleOnly(WorkspaceName)
    /// Where none is served, the folder is bundled and not an envelope.
    case deliveryBundleOnly(WorkspaceName)

    // Sizes.

    case payloadTooLarge(Int, limit: Int)
    case envelopeTooLarge(Int, limit: Int)
    case tokenTooLarge(Int, limit: Int)

    // Keys.

    case noCurrentKey(WorkspaceName, KeyUse)
    case unknownKey(KeyID)
    /// A kid is bound to one key for ever.
    case kidTaken(KeyID)
    case keyCannotSign(KeyID, KeyState)
    case keyHasOtherUse(KeyID, KeyUse)
    case key(KeyID, SigningKeyError)

    // The memory.

    case log(LedgerError)
    /// The log grew faster than it could be read.
    case logBusy
    /// The keyring is not the one that was last recorded; digests in hex.
    case keyringChanged(recorded: String, found: String)
    /// Nothing is recorded of the keyring, and that is to be an error.
    case keyringFirstUse(String)
    /// A version to be given up that nothing was signed or adopted under.
    case unknownVersion(ConfigVersion)

    // What we made ourselves.

    /// A fresh envelope that a device would reject.
    case ownEnvelope(RuleViolation)

    // Grants and preview pins.

    case issuanceLog(FileError)
    case grant(GrantRefusal)
    case preview(PreviewRefusal)
}

/// Which of the given envelopes is meant.
package enum SourceRole: String, Hashable, Sendable {
    case source
    case after
    case served
    case old
    case adopted
}
