package import CampaignCompiler
package import GronaFormats
import Transitions

/// What a person asks of a config besides the campaigns.
package struct ConfigRequest: Sendable {
    /// None: the number after that of the envelope it follows.
    package var version: ConfigVersion?
    package var lifetime = LifetimeRequest.standard
    package var issuedAt: UnixTime?
    package var kid: KeyID?
    package var enabling: [String] = []
    package var raisesMinSDK = false
    package var allowedJump: Int64?

    package init(version: ConfigVersion? = nil) {
        self.version = version
    }
}

extension Drafting {
    /// A config from a campaign folder.
    ///
    /// - Parameter after: the envelope that it follows; without one, `request.version` is needed.
    package func config(
        _ workspace: CheckedWorkspace, after: SignedSource?, _ request: ConfigRequest
    ) throws(SigningError) -> Draft {
        let key = try signingKey(.config, asked: request.kid)
        let version: ConfigVersion
        if let asked = request.version {
            version = asked
        } else if let after {
            guard let next = after.version.next else { throw .version(.noneLeft) }
            version = next
        } else {
            version = try numbered(nil)
        }
        let issuedAt = try IssueTimeRule.issuedAt(request.issuedAt, now: now)
        let rule = LifetimeRule(.config, of: policy)
        let edit = PayloadEdit(
            version: version, issuedAt: issuedAt,
            expiresAt: try rule.expiry(request.lifetime, from: issuedAt, now: now))
        let payload = try Self.payload(workspace, edit)
        for id in request.enabling where !workspace.campaigns.contains(where: { $0.id == id }) {
            throw .unknownCampaign(id)
        }
        return try draft(
            .config(
                after: after?.root, enabling: request.enabling,
                raisingMinSDK: request.raisesMinSDK),
            role: .config, payload: payload, edit: edit, key: key,
            changes: SignedChanges(enabled: request.enabling),
            knownVersion: after?.version.number ?? 0, allowedJump: request.allowedJump,
            isAboveAll: policy.delivery == .bundleOnly,
            notes: policy.delivery == .bundleOnly ? [.notServed(keyring.workspace)] : [])
    }

    static func payload(
        _ workspace: CheckedWorkspace, _ edit: PayloadEdit, keepingOffers: Bool = true
    ) throws(SigningError) -> [UInt8] {
        let stamp = PayloadStamp(
            version: edit.version, issuedAt: edit.issuedAt, expiresAt: edit.expiresAt)
        do throws(CompileError) {
            return try workspace.payload(stamp, keepingOffers: keepingOffers)
        } catch {
            switch error {
            case .payloadTooLarge(let bytes, let limit):
                throw .payloadTooLarge(bytes, limit: limit)
            }
        }
    }
}
