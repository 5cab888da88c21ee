import GronaFormats

/// The claims of a grant that passed every check; a backend applies the value from here alone.
///
/// Source: offers-and-grants: The grant token, The order backend is the enforcement point.
public struct VerifiedGrant: Sendable, Hashable {
    /// `sub`: the customer id.
    public let customer: String
    /// `wks`: the workspace key.
    public let workspace: String
    /// `cmp`: the campaign id.
    public let campaign: String
    /// `var`: the variant id.
    public let variant: String
    /// `trt`: the treatment type, such as `percent_off`.
    public let treatmentType: String
    /// `val`: the treatment value in thousandths, 0 or more: 10000 is 10.
    public let treatmentValueInThousandths: Int64
    /// `iat` in Unix seconds.
    public let issuedAt: Int64
    /// `exp` in Unix seconds.
    public let expiresAt: Int64
    /// `jti`: the single-use nonce.
    public let nonce: String

    init(_ claims: GrantClaims) {
        customer = claims.subject
        workspace = claims.workspace
        campaign = claims.campaign.text
        variant = claims.variant.text
        treatmentType = claims.treatment.type.text
        treatmentValueInThousandths = claims.treatment.value
        issuedAt = claims.issuedAt.seconds
        expiresAt = claims.expiresAt.seconds
        nonce = claims.nonce.text
    }
}
