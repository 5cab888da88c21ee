package import GronaFormats

/// Why a grant is not given (offers-and-grants: The grant token).
package enum GrantRefusal: Error, Hashable, Sendable {
    case sourceExpired(UnixTime, now: UnixTime)
    case unknownCampaign(String)
    /// The campaign is there, but cannot be read as one.
    case unreadableCampaign(String)
    case disabledCampaign(String)
    case notStarted(String, UnixTime)
    case ended(String, UnixTime)
    case noTreatment(String)
    case notForCustomers(String)
    case unknownVariant(campaign: String, variant: String)
    case controlVariant(campaign: String, variant: String)
    /// Bytes of the customer id.
    case subjectLength(Int)
    /// A character of the customer id that no I-JSON text has (RFC 7493 2.1).
    case subjectNoncharacter(UInt32)
    /// Zero or less seconds.
    case lifetimeNotPositive(DurationSeconds)
    case lifetimeTooLong(DurationSeconds, cap: DurationSeconds)
    case timesOutOfBounds(UnixTime)
    case tokenTooLarge(Int, limit: Int)
}

/// Why a preview pin is not given.
package enum PreviewRefusal: Error, Hashable, Sendable {
    case unknownCampaign(String)
    case unknownVariant(campaign: String, variant: String)
    case lifetimeNotPositive(DurationSeconds)
    case lifetimeTooLong(DurationSeconds, cap: DurationSeconds)
    case timesOutOfBounds(UnixTime)
    case tokenTooLarge(Int, limit: Int)
}
