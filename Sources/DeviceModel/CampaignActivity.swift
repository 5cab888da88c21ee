package import GronaFormats

/// Why a campaign does not run, in the order in which they are looked at.
package enum StopReason: String, Sendable, Hashable, CaseIterable {
    /// The config has expired (signed-configuration: Freeze protection).
    case expired
    /// `enabled` is false: the kill switch.
    case disabled
    /// A newer config needs a newer SDK, and the campaign moves money or a basket
    /// (signed-configuration: Configurations that need a newer SDK).
    case superseded
    /// The campaign's own `min_sdk` is above the SDK's version.
    case needsNewerSDK = "needs-newer-sdk"
    case notStarted = "not-started"
    case ended
}

/// What an install does with one campaign.
package struct CampaignActivity: Sendable, Hashable {
    package let id: Identifier
    package let kind: CampaignKind
    /// Nil while it runs.
    package let stop: StopReason?
    /// Whether it renders only with a grant: an offer, unless both demo switches are on
    /// (offers-and-grants: On the device; signed-configuration: Demo mode).
    package let needsGrant: Bool

    package var runs: Bool { stop == nil }
}

extension Install {
    /// Whether both demo switches are on.
    package var isDemoActive: Bool {
        isDemo && (running?.payload.isDemo ?? false)
    }

    /// What runs and what stands still, in the order of the config; nothing without a config.
    package func activity(at now: UnixTime) -> [CampaignActivity] {
        guard let payload = running?.payload else { return [] }
        return payload.campaigns.map { campaign in
            CampaignActivity(
                id: campaign.id, kind: campaign.kind,
                stop: stop(campaign, expiresAt: payload.expiresAt, now),
                needsGrant: campaign.kind == .offer && !isDemoActive)
        }
    }

    private func stop(
        _ campaign: Campaign, expiresAt: UnixTime, _ now: UnixTime
    ) -> StopReason? {
        if now >= expiresAt { return .expired }
        if !campaign.isEnabled { return .disabled }
        if supersededBy != nil && campaign.movesMoneyOrBasket { return .superseded }
        if let needed = campaign.minSDK, let sdkVersion, needed > sdkVersion {
            return .needsNewerSDK
        }
        if let startsAt = campaign.startsAt, now < startsAt { return .notStarted }
        return campaign.isScheduled(at: now) ? nil : .ended
    }
}
