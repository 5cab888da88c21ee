package import GronaFormats

/// What is asked for: a campaign and a variant that a tester may force.
package struct PreviewRequest: Sendable {
    package var campaign: String
    package var variant: String
    /// None: as long as the policy says.
    package var lifetime: DurationSeconds?

    package init(campaign: String, variant: String, lifetime: DurationSeconds? = nil) {
        self.campaign = campaign
        self.variant = variant
        self.lifetime = lifetime
    }
}

extension GrantSource {
    /// The claims of a preview pin: never a customer or a value, so it can never pass for a grant
    /// (signed-configuration: Pinned keys; offers-and-grants: Preview and demo never grant).
    ///
    /// What is off or has not begun can be previewed: that is what a pin is for.
    package func claims(
        _ request: PreviewRequest, policy: WorkspacePolicy, nonce: Identifier, now: UnixTime
    ) throws(PreviewRefusal) -> PreviewClaims {
        guard let campaign = campaign(request.campaign) else {
            throw .unknownCampaign(request.campaign)
        }
        guard let variant = campaign.variant(request.variant) else {
            throw .unknownVariant(campaign: request.campaign, variant: request.variant)
        }
        let cap = min(policy.lifetimes.preview, Limits.previewLifetime)
        let lifetime = request.lifetime ?? cap
        guard lifetime.seconds > 0 else { throw .lifetimeNotPositive(lifetime) }
        guard lifetime <= cap else { throw .lifetimeTooLong(lifetime, cap: cap) }
        guard now.isWithinBounds else { throw .timesOutOfBounds(now) }
        guard let end = now.adding(lifetime), end.isWithinBounds else {
            throw .timesOutOfBounds(now)
        }
        return PreviewClaims(
            workspace: workspace.text, campaign: campaign.id, variant: variant.id, issuedAt: now,
            expiresAt: end, nonce: nonce)
    }
}
