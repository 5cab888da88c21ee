package import GronaFormats
import Transitions

/// What a push asks of a document beyond what a device checks.
package struct PushRules: Sendable {
    /// The share of its lifetime that a pushed config must have left, in percent.
    package static let leastLifetimeLeft: Int64 = 90

    package var policy: WorkspacePolicy
    package var now: UnixTime
    /// Campaigns that may go from off to on.
    package var enabling: [String]
    package var raisesMinSDK: Bool
    package var allowsAged: Bool

    package init(
        policy: WorkspacePolicy, now: UnixTime, enabling: [String] = [],
        raisesMinSDK: Bool = false, allowsAged: Bool = false
    ) {
        self.policy = policy
        self.now = now
        self.enabling = enabling
        self.raisesMinSDK = raisesMinSDK
        self.allowsAged = allowsAged
    }

    /// What speaks against publishing `payload` after `base`, the newest content known to have
    /// been served; empty when nothing does. The number has rules of its own.
    package func refusals(of payload: ConfigPayload, after base: ConfigPayload?) -> [Refusal] {
        var refusals: [Refusal] = []
        if policy.delivery == .bundleOnly { refusals.append(.bundleOnly) }
        let lifetime = payload.expiresAt.since(payload.issuedAt).seconds
        let left = payload.expiresAt.since(now).seconds
        if !allowsAged, isAged(left: left, lifetime: lifetime) {
            refusals.append(.aged(left: left, lifetime: lifetime))
        }
        // signed-configuration: Demo mode, "Production configurations never set settings.demo".
        if payload.isDemo, policy.environment != .demo { refusals.append(.demo) }
        if let base {
            let step = Transition.config(
                after: base.root, enabling: enabling, raisingMinSDK: raisesMinSDK)
            refusals += step.violations(in: payload.root)
                .filter { !$0.member.utf8.elementsEqual("version".utf8) }
                .map { .transition($0) }
        }
        return refusals
    }

    /// What speaks against a payload when a content was served before it that cannot be had: each
    /// campaign may have been switched off in that, so each that is on has to be named.
    package func refusals(of payload: ConfigPayload, afterUnknown version: Int64?) -> [Refusal] {
        guard let version else { return [] }
        let unnamed = payload.campaigns.filter(\.isEnabled).map(\.id.text).filter { id in
            !enabling.contains { $0.utf8.elementsEqual(id.utf8) }
        }
        return unnamed.isEmpty ? [] : [.contentUnknown(version, campaigns: unnamed)]
    }

    /// Whether less than 90 % is left; both in seconds, a lifetime of at most 400 days.
    private func isAged(left: Int64, lifetime: Int64) -> Bool {
        let (scaled, overflowed) = left.multipliedReportingOverflow(by: 100)
        let (least, tooLong) = lifetime.multipliedReportingOverflow(by: Self.leastLifetimeLeft)
        return overflowed ? left < 0 : tooLong ? true : scaled < least
    }

    /// Offers whose grants in shoppers' hands will not match any more (offers-and-grants: On the
    /// device, Matching): "a value mismatch fails closed".
    package static func treatmentChanges(
        in payload: ConfigPayload, after base: ConfigPayload
    ) -> [TreatmentChange] {
        payload.campaigns.compactMap { campaign in
            guard let before = base.campaign(campaign.id.text)?.treatment,
                let after = campaign.treatment, before != after
            else { return nil }
            return TreatmentChange(campaign: campaign.id.text, old: before, new: after)
        }
    }
}

/// An offer whose treatment is another one than before.
package struct TreatmentChange: Hashable, Sendable {
    package let campaign: String
    package let old: Treatment
    package let new: Treatment
}
