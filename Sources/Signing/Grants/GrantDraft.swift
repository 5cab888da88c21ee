package import GronaFormats

/// What is asked for: a customer, a campaign and a variant; all else comes from the config.
package struct GrantRequest: Sendable {
    package var subject: String
    package var campaign: String
    package var variant: String
    /// None: as long as the policy says.
    package var lifetime: DurationSeconds?

    package init(
        subject: String, campaign: String, variant: String, lifetime: DurationSeconds? = nil
    ) {
        self.subject = subject
        self.campaign = campaign
        self.variant = variant
        self.lifetime = lifetime
    }
}

extension GrantSource {
    /// The claims of a grant (offers-and-grants: The grant token).
    ///
    /// - Parameter nonce: the `jti`, 24 hexadecimal digits from the system's random source.
    package func claims(
        _ request: GrantRequest, policy: WorkspacePolicy, nonce: Identifier, now: UnixTime
    ) throws(GrantRefusal) -> GrantClaims {
        if let expiresAt, expiresAt <= now { throw .sourceExpired(expiresAt, now: now) }
        let length = request.subject.utf8.count
        guard Limits.subject.contains(length) else { throw .subjectLength(length) }
        if let scalar = request.subject.unicodeScalars.first(where: {
            $0.properties.isNoncharacterCodePoint
        }) {
            throw .subjectNoncharacter(scalar.value)
        }
        let campaign = try runningOffer(request.campaign, now)
        guard campaign.kind == .offer, let treatment = campaign.treatment else {
            throw .noTreatment(request.campaign)
        }
        guard campaign.unit == .customer else { throw .notForCustomers(request.campaign) }
        guard let variant = campaign.variant(request.variant) else {
            throw .unknownVariant(campaign: request.campaign, variant: request.variant)
        }
        guard !variant.isControl else {
            throw .controlVariant(campaign: request.campaign, variant: request.variant)
        }
        let end = try expiry(request.lifetime, policy, campaign, now)
        return GrantClaims(
            subject: request.subject, workspace: workspace.text, campaign: campaign.id,
            variant: variant.id, treatment: treatment, issuedAt: now, expiresAt: end,
            nonce: nonce)
    }

    private func runningOffer(_ id: String, _ now: UnixTime) throws(GrantRefusal) -> Campaign {
        guard let campaign = campaign(id) else {
            throw isUnreadable(id) ? .unreadableCampaign(id) : .unknownCampaign(id)
        }
        guard campaign.isEnabled else { throw .disabledCampaign(id) }
        if let startsAt = campaign.startsAt, now < startsAt { throw .notStarted(id, startsAt) }
        if let endsAt = campaign.endsAt, now >= endsAt { throw .ended(id, endsAt) }
        return campaign
    }

    private func expiry(
        _ asked: DurationSeconds?, _ policy: WorkspacePolicy, _ campaign: Campaign,
        _ now: UnixTime
    ) throws(GrantRefusal) -> UnixTime {
        let cap = min(policy.lifetimes.grant, Limits.grantLifetime)
        let lifetime = asked ?? cap
        guard lifetime.seconds > 0 else { throw .lifetimeNotPositive(lifetime) }
        guard lifetime <= cap else { throw .lifetimeTooLong(lifetime, cap: cap) }
        guard now.isWithinBounds else { throw .timesOutOfBounds(now) }
        guard var end = now.adding(lifetime) else { throw .timesOutOfBounds(now) }
        if let endsAt = campaign.endsAt { end = min(end, endsAt) }
        guard end.isWithinBounds else { throw .timesOutOfBounds(end) }
        return end
    }
}
