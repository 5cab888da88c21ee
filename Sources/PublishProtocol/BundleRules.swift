package import GronaFormats
import StrictJSON
import Transitions

/// What releasing a bundle asks of it beyond what a device checks.
///
/// Source: signed-configuration: The bundled configuration.
package struct BundleRules: Sendable {
    package var policy: WorkspacePolicy

    package init(policy: WorkspacePolicy) {
        self.policy = policy
    }

    /// What speaks against releasing `bundle`; empty when nothing does. That its number is not
    /// above the served one is ``BundleRelease``'s own rule.
    ///
    /// - Parameters:
    ///   - served: what the config URL serves; nil for apps without one.
    ///   - source: the config of the bundle's own number; nil where it is not known.
    package func refusals(
        of bundle: ConfigPayload, served: ConfigPayload?, source: ConfigPayload?
    ) -> [Refusal] {
        var refusals: [Refusal] = []
        if let served, bundle.version < served.version {
            let stale = Self.switchedOff(in: served, since: bundle)
            if !stale.isEmpty {
                refusals.append(.bundleStale(bundle.version.number, campaigns: stale))
            }
        }
        let lifetime = bundle.expiresAt.since(bundle.issuedAt).seconds
        let limit = longestLifetime(of: bundle)
        if lifetime > limit { refusals.append(.bundleLifetime(lifetime, atMost: limit)) }
        if bundle.isDemo, policy.environment != .demo { refusals.append(.demo) }
        if let source {
            refusals += Transition.bundle(of: source.root).violations(in: bundle.root)
                .map { .transition($0) }
        }
        return refusals
    }

    /// Seconds that a bundle may live: with offers in it less, since it can show them offline
    /// until it expires.
    package func longestLifetime(of bundle: ConfigPayload) -> Int64 {
        let plain = policy.lifetimes.bundle.seconds
        guard Self.carriesOffers(bundle) else { return plain }
        return min(plain, policy.lifetimes.bundleWithOffers.seconds)
    }

    /// Whether a campaign is an offer, one that no SDK can read included.
    package static func carriesOffers(_ payload: ConfigPayload) -> Bool {
        payload.campaignElements.contains {
            $0["kind"]?.utf8?.elementsEqual(CampaignKind.offer.rawValue.utf8) ?? false
        }
    }

    /// The campaigns that are on in `older` and off, or gone, in `newer`.
    static func switchedOff(in newer: ConfigPayload, since older: ConfigPayload) -> [String] {
        older.campaigns.filter(\.isEnabled).map(\.id.text).filter {
            !(newer.campaign($0)?.isEnabled ?? false)
        }
    }
}
