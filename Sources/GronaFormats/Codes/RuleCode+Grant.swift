// What is refused when a grant is asked for, and what an order backend rejects one by.
extension RuleCode {
    /// Token over 4 KB (offers-and-grants: The grant token).
    package static let grantTooLarge = RuleCode("grant.too-large")
    /// Not three base64url parts, or claims that are no JSON object (RFC 7515 7.1).
    package static let grantMalformed = RuleCode("grant.malformed")
    /// A claim is missing, of another type or of another form (offers-and-grants: The grant
    /// token).
    package static let grantClaim = RuleCode("grant.claim")
    /// `wks` is another workspace (offers-and-grants: The order backend is the enforcement
    /// point).
    package static let grantWorkspace = RuleCode("grant.workspace")
    /// `sub` is another customer, or cannot be one (offers-and-grants: The grant token, `sub`).
    package static let grantSubject = RuleCode("grant.subject")
    /// `prv` is not false (offers-and-grants: The grant token, `prv`).
    package static let grantPreview = RuleCode("grant.preview")
    /// `iat` lies outside 2020–2100 or over 5 minutes ahead (offers-and-grants: The grant token,
    /// `iat`).
    package static let grantIssuedAt = RuleCode("grant.issued-at")
    /// `exp` lies outside 2020–2100, not after `iat`, or over 24 hours after it (offers-and-
    /// grants: The grant token, `exp`).
    package static let grantLifetime = RuleCode("grant.lifetime")
    /// `exp` is not in the future (offers-and-grants: The grant token, `exp`).
    package static let grantExpired = RuleCode("grant.expired")
    /// `cmp` is another campaign, or the campaign is unknown, off, over or not yet begun.
    package static let grantCampaign = RuleCode("grant.campaign")
    /// `var` is another variant, or the variant is unknown or a control.
    package static let grantVariant = RuleCode("grant.variant")
    /// `trt` is another treatment type (offers-and-grants: On the device, Matching).
    package static let grantType = RuleCode("grant.type")
    /// `val` is another value (offers-and-grants: On the device, Matching).
    package static let grantValue = RuleCode("grant.value")
    /// `jti` was used before (offers-and-grants: The order backend is the enforcement point).
    package static let grantUsed = RuleCode("grant.used")
    /// The campaign has no treatment, or its unit is not the customer (offers-and-grants: On the
    /// device).
    package static let grantNotAnOffer = RuleCode("grant.not-an-offer")
    /// The config that grants are taken from has expired (signed-configuration: Freeze
    /// protection).
    package static let grantSourceExpired = RuleCode("grant.source-expired")
    /// Something newer than the grant's source was signed, or nobody knows the source; a warning.
    package static let grantStaleSource = RuleCode("grant.stale-source")
    /// The grant is taken from a campaign folder that nobody has signed; a warning.
    package static let grantUnpublishedSource = RuleCode("grant.unpublished-source")
}
