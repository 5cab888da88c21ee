package import GronaFormats

/// Checks grants as an order backend does, and preview pins likewise.
///
/// Source: offers-and-grants: The grant token, The order backend is the enforcement point.
package struct TokenChecker: Sendable {
    package let trust: TrustedKeys

    package init(trust: TrustedKeys) {
        self.trust = trust
    }

    /// - Parameters:
    ///   - bytes: the token alone, without a newline.
    ///   - use: takes the nonce of a grant that has passed everything else, with the time until
    ///     which it must be kept; not called for any other, so that nobody can burn a nonce.
    package func checkGrant<Failure>(
        _ bytes: [UInt8], _ query: GrantQuery, at now: UnixTime,
        use: (Identifier, UnixTime) throws(Failure) -> NonceUse
    ) throws(Failure) -> TokenReport<GrantClaims> {
        let codes = TokenCodes.grant
        var table = TokenTable(codes)
        let token = table.signed(bytes, trust, workspace: query.workspace)
        let claims = token.flatMap { token in
            table.run(.claims) { () throws(RuleViolation) in
                try GrantClaims(reading: codes.claims(token.payload))
            }
        }
        if let token, let claims {
            table.parties(claims, query, token.key)
            table.times(from: claims.issuedAt, to: claims.expiresAt, at: now)
            table.expectations(claims, query)
            if table.isAccepted {
                switch try use(claims.nonce, claims.expiresAt) {
                case .first: table.require(.singleUse, true, RuleViolation(.grantUsed))
                case .again:
                    table.require(
                        .singleUse, false,
                        RuleViolation(.grantUsed, .used(claims.nonce.text)))
                case .notAsked: break
                }
            }
        }
        return TokenReport(
            checks: table.rows(TokenCheck.allCases), kid: token?.key.kid, claims: claims,
            warnings: sizeWarnings(bytes, .grantTooLarge, isSigned: token != nil))
    }

    /// - Parameters:
    ///   - bytes: the token alone, without a newline.
    ///   - workspace: nil means that whose keyring has the kid.
    package func checkPreview(
        _ bytes: [UInt8], workspace: String?, at now: UnixTime
    ) -> TokenReport<PreviewClaims> {
        let codes = TokenCodes.preview
        var table = TokenTable(codes)
        let token = table.signed(bytes, trust, workspace: workspace)
        let claims = token.flatMap { token in
            table.run(.claims) { () throws(RuleViolation) in
                try PreviewClaims(reading: codes.claims(token.payload))
            }
        }
        if let token, let claims {
            table.workspace(claims.workspace, needed: workspace ?? token.key.workspace.text)
            table.times(from: claims.issuedAt, to: claims.expiresAt, at: now)
        }
        return TokenReport(
            checks: table.rows(TokenCheck.ofPreview), kid: token?.key.kid, claims: claims,
            warnings: sizeWarnings(bytes, .previewTooLarge, isSigned: token != nil))
    }

    private func sizeWarnings(
        _ bytes: [UInt8], _ code: RuleCode, isSigned: Bool
    ) -> [RuleViolation] {
        let limit = Limits.token.signing
        guard isSigned, bytes.count > limit else { return [] }
        return [RuleViolation(code, .size(bytes.count, limit: limit))]
    }
}

extension TokenTable {
    fileprivate mutating func workspace(_ found: String, needed: String) {
        require(
            .workspace, found.hasSameBytes(as: needed),
            RuleViolation(codes.workspace, .text(found: found, needed: needed)))
    }

    /// Checks `workspace`, `subject` and `preview`.
    fileprivate mutating func parties(
        _ claims: GrantClaims, _ query: GrantQuery, _ key: TrustedKey
    ) {
        workspace(claims.workspace, needed: query.workspace ?? key.workspace.text)
        compare(.subject, .grantSubject, claims.subject, query.subject)
        require(
            .preview, !claims.isPreview,
            RuleViolation(
                .grantPreview, .member(pointer: "/prv", .alwaysFalse, isMissing: false)))
    }

    /// Checks `campaign`, `variant`, `type` and `value`, where they are asked.
    fileprivate mutating func expectations(_ claims: GrantClaims, _ query: GrantQuery) {
        compare(.campaign, .grantCampaign, claims.campaign.text, query.campaign)
        compare(.variant, .grantVariant, claims.variant.text, query.variant)
        compare(.type, .grantType, claims.treatment.type.text, query.treatmentType)
        if let value = query.treatmentValue {
            require(
                .value, claims.treatment.value == value,
                RuleViolation(
                    .grantValue, .number(found: claims.treatment.value, needed: value)))
        }
    }

    private mutating func compare(
        _ check: TokenCheck, _ code: RuleCode, _ found: String, _ needed: String?
    ) {
        guard let needed else { return }
        require(
            check, found.hasSameBytes(as: needed),
            RuleViolation(code, .text(found: found, needed: needed)))
    }
}
