// What a preview pin is rejected by (signed-configuration: Pinned keys, Time values).
extension RuleCode {
    /// Token over 4 KB.
    package static let previewTooLarge = RuleCode("preview.too-large")
    /// Not three base64url parts, or claims that are no JSON object (RFC 7515 7.1).
    package static let previewMalformed = RuleCode("preview.malformed")
    /// A claim is missing or of another type or form, or is one of `sub`, `trt`, `val`, which no
    /// preview pin has.
    package static let previewClaim = RuleCode("preview.claim")
    /// `wks` is another workspace.
    package static let previewWorkspace = RuleCode("preview.workspace")
    /// The campaign is unknown.
    package static let previewCampaign = RuleCode("preview.campaign")
    /// The variant is unknown.
    package static let previewVariant = RuleCode("preview.variant")
    /// `iat` lies outside 2020–2100 or over 5 minutes ahead.
    package static let previewIssuedAt = RuleCode("preview.issued-at")
    /// `exp` lies outside 2020–2100, not after `iat`, or over 7 days after it.
    package static let previewLifetime = RuleCode("preview.lifetime")
    /// `exp` is not in the future.
    package static let previewExpired = RuleCode("preview.expired")
}
