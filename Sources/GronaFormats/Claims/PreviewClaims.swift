package import StrictJSON

/// What a preview pin says: which variant a tester sees. It has no `sub`, `trt` or `val`, so it can
/// never pass for a grant.
///
/// Source: signed-configuration: Pinned keys, Time values; offers-and-grants: Preview and demo
/// never grant.
package struct PreviewClaims: Sendable, Hashable {
    /// Any string when reading.
    package var workspace: String
    package var campaign: Identifier
    package var variant: Identifier
    package var issuedAt: UnixTime
    package var expiresAt: UnixTime
    package var nonce: Identifier

    package static let unwanted = ["sub", "trt", "val"]

    /// The names of the claims, in the order of the product's documents.
    package static let names = ["wks", "cmp", "var", "iat", "exp", "jti", "prv"]

    package init(
        workspace: String, campaign: Identifier, variant: Identifier, issuedAt: UnixTime,
        expiresAt: UnixTime, nonce: Identifier
    ) {
        self.workspace = workspace
        self.campaign = campaign
        self.variant = variant
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.nonce = nonce
    }

    /// Reads the claims: each there, of its type and form, `prv` true, and none of a grant's own;
    /// unknown ones are ignored, bounds are other checks' matter.
    package init(reading root: JSONElement) throws(RuleViolation) {
        let code = RuleCode.previewClaim
        for name in Self.unwanted where root[name] != nil {
            throw RuleViolation(code, .unwanted(name))
        }
        workspace = try root.text("wks", code)
        campaign = try root.identifier("cmp", code)
        variant = try root.identifier("var", code)
        issuedAt = try root.time("iat", code)
        expiresAt = try root.time("exp", code)
        nonce = try root.identifier("jti", code)
        guard try root.flag("prv", code) else {
            throw .wrong("/prv", .alwaysTrue, code)
        }
    }

    package var json: JSONValue {
        .object([
            ("cmp", .string(campaign.text)), ("exp", .integer(expiresAt.seconds)),
            ("iat", .integer(issuedAt.seconds)), ("jti", .string(nonce.text)),
            ("prv", .boolean(true)), ("var", .string(variant.text)),
            ("wks", .string(workspace)),
        ])
    }

    /// RFC 8785.
    package func canonical() -> [UInt8] {
        json.canonical()
    }
}
