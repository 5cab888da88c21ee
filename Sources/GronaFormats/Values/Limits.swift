/// Sizes in bytes, counts and lengths of time that bound what is read, signed and verified.
///
/// The product documents say "KB" without saying which: a signer satisfies both readings, a
/// verifier predicts what an SDK does. A document between the two verifies with a warning.
package enum Limits {
    /// One limit in its two readings.
    package struct Pair: Sendable, Hashable {
        /// Refuse to sign above.
        package let signing: Int
        /// Reject when verifying above.
        package let verifying: Int
    }

    /// signed-configuration: What the SDK checks, "an envelope over 768 KB".
    package static let envelope = Pair(signing: 768_000, verifying: 786_432)
    /// signed-configuration: What the SDK checks, "a decoded payload over 512 KB".
    package static let payload = Pair(signing: 512_000, verifying: 524_288)
    /// offers-and-grants: The grant token, "a token is at most 4 KB"; preview pins likewise.
    package static let token = Pair(signing: 4_000, verifying: 4_096)
    /// signed-configuration: What the SDK checks, "JSON nested deeper than 32 levels". Objects and
    /// arrays count, the outermost is level 1.
    package static let depth = 32

    /// What a reader takes in before it parses; more is `input.too-large`.
    package enum Reader {
        package static let envelope = 1_048_576
        package static let campaignFile = 4_194_304
        package static let keyring = 4_194_304
        package static let line = 65_536
        package static let envelopeLine = 1_048_576
        package static let fleet = 67_108_864
        package static let pins = 67_108_864
    }

    /// signed-configuration: What the SDK checks, `expires_at`.
    package static let configLifetime = DurationSeconds.days(400)
    /// signed-configuration: The bundled configuration, "a short expiry" where it carries offers.
    package static let bundleWithOffersLifetime = DurationSeconds.days(3)
    /// offers-and-grants: The grant token, `exp`.
    package static let grantLifetime = DurationSeconds.hours(24)
    package static let previewLifetime = DurationSeconds.days(7)
    /// offers-and-grants: The grant token, `iat`: "not more than 5 minutes ahead".
    package static let clockSkew = DurationSeconds(300)
    /// signed-configuration: Refresh.
    package static let ttlSeconds: ClosedRange<Int64> = 300...86_400
    /// The weights of a campaign's variants add up to this.
    package static let totalWeight: Int64 = 10_000
    /// Bytes of a `sub` when signing.
    package static let subject = 1...256
    /// A signer goes at most this far above the highest known version without a person.
    package static let versionJump: Int64 = 1_000
    /// offers-and-grants: On the device, "keeps at most 50 grants".
    package static let grantsPerCustomer = 50
}
