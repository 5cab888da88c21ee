/// The checks of a token in their order; a preview pin has those up to `claims`, then `workspace`,
/// `issued-at`, `lifetime` and `expired`.
///
/// Source: offers-and-grants: The grant token, The order backend is the enforcement point.
package enum TokenCheck: String, Sendable, Hashable, CaseIterable {
    case size
    /// Three parts, each base64url.
    case token
    case header
    case kid
    case signature
    case claims
    case workspace
    case subject
    case preview
    case issuedAt = "issued-at"
    case lifetime
    case expired
    case campaign
    case variant
    case type
    case value
    case singleUse = "single-use"

    package static let ofPreview: [TokenCheck] = [
        .size, .token, .header, .kid, .signature, .claims, .workspace, .issuedAt, .lifetime,
        .expired,
    ]
}
