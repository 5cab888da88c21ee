package import GronaFormats
import StrictJSON
import Transitions

extension Drafting {
    /// The content of an older envelope under a new version; what is off in the served one stays
    /// off, and what this signer switched off before it left what is served.
    package func restore(
        _ old: SignedSource, served: SignedSource, version: ConfigVersion? = nil,
        lifetime: LifetimeRequest = .standard
    ) throws(SigningError) -> Draft {
        let key = try signingKey(.config)
        let version = try numbered(version, above: old.version, served.version)
        let issuedAt = try IssueTimeRule.issuedAt(now: now)
        var edit = PayloadEdit(
            version: version, issuedAt: issuedAt,
            expiresAt: try LifetimeRule(.config, of: policy)
                .expiry(lifetime, from: issuedAt, now: now))
        edit.switchedOff = SwitchPositions(served.root).off.union(history.switchedOff)
        return try draft(
            .restore(of: old.root, served: served.root, keepingOff: history.switchedOff),
            role: .restore,
            payload: edit.applied(to: old.root), edit: edit, key: key,
            source: old.draftSource, served: served.draftSource,
            changes: SignedChanges(served: served.digest),
            knownVersion: max(old.version.number, served.version.number))
    }
}
