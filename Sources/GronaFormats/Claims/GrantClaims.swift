package import StrictJSON

/// What a grant says.
///
/// Source: offers-and-grants: The grant token.
package struct GrantClaims: Sendable, Hashable {
    /// The customer; any string when reading.
    package var subject: String
    /// Any string when reading.
    package var workspace: String
    package var campaign: Identifier
    package var variant: Identifier
    package var treatment: Treatment
    package var issuedAt: UnixTime
    package var expiresAt: UnixTime
    package var nonce: Identifier
    /// `prv`: false in every grant.
    package var isPreview: Bool

    /// The names of the claims, in the order of the product's documents.
    package static let names = [
        "sub", "wks", "cmp", "var", "trt", "val", "iat", "exp", "jti", "prv",
    ]

    package init(
        subject: String, workspace: String, campaign: Identifier, variant: Identifier,
        treatment: Treatment, issuedAt: UnixTime, expiresAt: UnixTime, nonce: Identifier,
        isPreview: Bool = false
    ) {
        self.subject = subject
        self.workspace = workspace
        self.campaign = campaign
        self.variant = variant
        self.treatment = treatment
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.nonce = nonce
        self.isPreview = isPreview
    }

    /// Reads the claims: each there, of its type and form; unknown ones are ignored, bounds are
    /// other checks' matter.
    package init(reading root: JSONElement) throws(RuleViolation) {
        let code = RuleCode.grantClaim
        subject = try root.text("sub", code)
        workspace = try root.text("wks", code)
        campaign = try root.identifier("cmp", code)
        variant = try root.identifier("var", code)
        let type = try root.identifier("trt", code)
        let value = try root.integer("val", code)
        guard value >= 0 else {
            throw .wrong("/val", .nonNegativeInteger, code)
        }
        treatment = Treatment(type: type, value: value)
        issuedAt = try root.time("iat", code)
        expiresAt = try root.time("exp", code)
        nonce = try root.identifier("jti", code)
        isPreview = try root.flag("prv", code)
    }

    package var json: JSONValue {
        .object([
            ("cmp", .string(campaign.text)), ("exp", .integer(expiresAt.seconds)),
            ("iat", .integer(issuedAt.seconds)), ("jti", .string(nonce.text)),
            ("prv", .boolean(isPreview)), ("sub", .string(subject)),
            ("trt", .string(treatment.type.text)), ("val", .integer(treatment.value)),
            ("var", .string(variant.text)), ("wks", .string(workspace)),
        ])
    }

    /// RFC 8785.
    package func canonical() -> [UInt8] {
        json.canonical()
    }
}
