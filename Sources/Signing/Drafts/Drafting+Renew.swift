package import GronaFormats
import StrictJSON
package import Transitions

/// What is asked of a renewal.
package struct RenewRequest: Sendable {
    /// None: the number after the highest one that is known.
    package var version: ConfigVersion?
    package var lifetime = LifetimeRequest.standard
    /// Whether it may end before its source.
    package var shortens = false
    package var disabling: [String] = []
    package var enabling: [String] = []

    package init(version: ConfigVersion? = nil) {
        self.version = version
    }

    /// `kill` and `revive` are renewals that turn switches.
    package var role: TransitionRole {
        !enabling.isEmpty ? .revive : !disabling.isEmpty ? .kill : .renew
    }
}

extension Drafting {
    /// The same content again, with new times; in the roles kill and revive with switches turned.
    package func renew(
        _ source: SignedSource, _ request: RenewRequest
    ) throws(SigningError) -> Draft {
        let key = try signingKey(.config)
        for id in request.disabling + request.enabling where !source.has(campaign: id) {
            throw .unknownCampaign(id)
        }
        let version = try number(request, of: source)
        let issuedAt = try IssueTimeRule.issuedAt(now: now)
        let own = source.payload.times.lifetime
        let rule =
            policy.isDeclared
            ? LifetimeRule(.config, of: policy)
            : LifetimeRule(.config, standard: own, cap: own)
        var edit = PayloadEdit(
            version: version, issuedAt: issuedAt,
            expiresAt: try rule.expiry(request.lifetime, from: issuedAt, now: now))
        edit.switchedOff = Set(request.disabling.map { Array($0.utf8) })
        edit.switchedOn = Set(request.enabling.map { Array($0.utf8) })
        let transition: Transition =
            switch request.role {
            case .kill: .kill(of: source.root)
            case .revive: .revive(of: source.root, enabling: request.enabling)
            case .renew, .config, .bundle, .restore:
                .renew(of: source.root, expiry: expiryRule(request))
            }
        return try draft(
            transition, role: request.role, payload: edit.applied(to: source.root), edit: edit,
            key: key, source: source.draftSource,
            changes: SignedChanges(disabled: request.disabling, enabled: request.enabling),
            knownVersion: source.version.number, notes: idleNotes(source, request))
    }

    /// The number after the highest one, or, where renewals that were never published have led too
    /// far from the source, the first that is free.
    private func number(
        _ request: RenewRequest, of source: SignedSource
    ) throws(SigningError) -> ConfigVersion {
        let next = try numbered(request.version, above: source.version)
        guard request.version == nil, request.role == .renew,
            VersionStep.isJump(next.number, above: source.version.number)
        else { return next }
        guard let free = history.firstFree(above: source.version) else {
            throw .version(.noneLeft)
        }
        return free
    }

    /// What is asked for and so already.
    private func idleNotes(_ source: SignedSource, _ request: RenewRequest) -> [SigningNote] {
        let before = SwitchPositions(source.root)
        return request.disabling.filter { before.plainlyOff.contains(Array($0.utf8)) }
            .map { .offAlready($0) }
            + request.enabling.filter { before.plainlyOn.contains(Array($0.utf8)) }
            .map { .onAlready($0) }
    }

    private func expiryRule(_ request: RenewRequest) -> ExpiryRule {
        if request.shortens { return .mayShorten }
        return policy.isDeclared
            ? .policy(lifetime: policy.lifetimes.config.seconds) : .notEarlier
    }
}

extension SignedSource {
    fileprivate func has(campaign id: String) -> Bool {
        payload.campaignElements.contains { $0["id"]?.equals(id) ?? false }
    }
}
