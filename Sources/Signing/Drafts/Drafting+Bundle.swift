package import CampaignCompiler
package import GronaFormats
import Transitions

/// What is asked of a bundled copy.
package struct BundleRequest: Sendable {
    package var lifetime = LifetimeRequest.standard
    package var keepsOffers = false

    package init(lifetime: LifetimeRequest = .standard, keepsOffers: Bool = false) {
        self.lifetime = lifetime
        self.keepsOffers = keepsOffers
    }
}

extension Drafting {
    /// The copy of a config for an app: its version, a short life, offers left out
    /// (signed-configuration: The bundled configuration).
    package func bundle(
        _ source: SignedSource, _ request: BundleRequest
    ) throws(SigningError) -> Draft {
        guard policy.delivery == .served else { throw .deliveryBundleOnly(keyring.workspace) }
        let key = try signingKey(.config)
        let issuedAt = try IssueTimeRule.issuedAt(now: now)
        let wanted = try bundleRule(request).expiry(request.lifetime, from: issuedAt, now: now)
        let end = min(wanted, source.payload.expiresAt)
        var edit = PayloadEdit(version: source.version, issuedAt: issuedAt, expiresAt: end)
        edit.leavesOffersOut = !request.keepsOffers
        return try draft(
            .bundle(of: source.root), role: .bundle, payload: edit.applied(to: source.root),
            edit: edit, key: key, source: source.draftSource,
            knownVersion: source.version.number,
            notes: (end < wanted ? [.shortenedToSource(end)] : []) + [.notReleased])
    }

    /// The bundled copy where there is no config URL: straight from the campaign folder, above all
    /// that was signed before.
    package func bundle(
        _ workspace: CheckedWorkspace, version: ConfigVersion, _ request: BundleRequest
    ) throws(SigningError) -> Draft {
        guard policy.delivery == .bundleOnly else {
            throw .deliveryNotBundleOnly(keyring.workspace)
        }
        let key = try signingKey(.config)
        let issuedAt = try IssueTimeRule.issuedAt(now: now)
        let edit = PayloadEdit(
            version: version, issuedAt: issuedAt,
            expiresAt: try bundleRule(request).expiry(request.lifetime, from: issuedAt, now: now))
        return try draft(
            nil, role: .bundle,
            payload: try Self.payload(workspace, edit, keepingOffers: request.keepsOffers),
            edit: edit, key: key, isAboveAll: true)
    }

    private func bundleRule(_ request: BundleRequest) -> LifetimeRule {
        let plain = policy.lifetimes.bundle
        guard request.keepsOffers else { return LifetimeRule(.bundle, of: policy) }
        let cap = min(plain, policy.lifetimes.bundleWithOffers)
        return LifetimeRule(.bundleWithOffers, standard: cap, cap: cap)
    }
}
