/// The order that a grant is presented with.
public struct Order: Sendable, Hashable {
    /// The customer whom the backend itself has signed in, never one that the app names.
    public var customer: String
    /// Where the backend expects one campaign.
    public var campaign: String?
    /// Where the backend expects one variant.
    public var variant: String?
    /// Where the backend expects one treatment type.
    public var treatmentType: String?
    /// Where the backend expects one value, in thousandths.
    public var treatmentValueInThousandths: Int64?

    public init(
        customer: String, campaign: String? = nil, variant: String? = nil,
        treatmentType: String? = nil, treatmentValueInThousandths: Int64? = nil
    ) {
        self.customer = customer
        self.campaign = campaign
        self.variant = variant
        self.treatmentType = treatmentType
        self.treatmentValueInThousandths = treatmentValueInThousandths
    }
}

/// A nonce to be used once.
public struct GrantNonce: Sendable, Hashable {
    /// `jti`: what single use is keyed on. Never the token, since a malleated signature is a second
    /// valid token of one grant.
    public let text: String
    /// Unix seconds; from then on the grant is refused anyway and the nonce may be forgotten.
    public let expiresAt: Int64
}
