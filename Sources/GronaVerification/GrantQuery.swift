/// What a grant is held against; what is nil is not asked.
package struct GrantQuery: Sendable {
    /// Nil: the workspace whose keyring has the kid.
    package var workspace: String?
    package var subject: String?
    package var campaign: String?
    package var variant: String?
    package var treatmentType: String?
    package var treatmentValue: Int64?

    package init(
        workspace: String? = nil, subject: String? = nil, campaign: String? = nil,
        variant: String? = nil, treatmentType: String? = nil, treatmentValue: Int64? = nil
    ) {
        self.workspace = workspace
        self.subject = subject
        self.campaign = campaign
        self.variant = variant
        self.treatmentType = treatmentType
        self.treatmentValue = treatmentValue
    }
}

/// Whether a nonce is used for the first time.
package enum NonceUse: Sendable, Hashable {
    case first
    case again
    /// Nobody keeps nonces here.
    case notAsked
}
