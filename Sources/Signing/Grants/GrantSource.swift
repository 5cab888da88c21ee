package import CampaignCompiler
package import GronaFormats
import StrictJSON

/// The campaigns that grants and preview pins are given for.
package struct GrantSource: Sendable {
    package let workspace: WorkspaceName
    /// When the envelope ends; none for a campaign folder.
    package let expiresAt: UnixTime?
    private let campaigns: [Campaign]
    /// Ids of campaigns that cannot be read as one, and so never run.
    private let unreadable: Set<[UInt8]>

    /// The campaigns of a verified envelope.
    package init(_ source: SignedSource, workspace: WorkspaceName) {
        self.workspace = workspace
        expiresAt = source.payload.expiresAt
        campaigns = source.payload.campaigns
        let readable = Set(source.payload.campaigns.map { Array($0.id.text.utf8) })
        unreadable = Set(source.payload.campaignElements.compactMap { $0["id"]?.utf8 })
            .subtracting(readable)
    }

    /// The campaigns of a folder, as a config of it would carry them.
    package init(_ folder: CheckedWorkspace, now: UnixTime) throws(SigningError) {
        workspace = folder.policy.workspace
        expiresAt = nil
        let edit = PayloadEdit(
            version: .first, issuedAt: now, expiresAt: now.adding(DurationSeconds(1)) ?? now)
        let bytes = try Drafting.payload(folder, edit)
        let payload: ConfigPayload
        do {
            payload = try ConfigPayload(decoded: bytes)
        } catch {
            throw .ownEnvelope(error)
        }
        campaigns = payload.campaigns
        unreadable = []
    }

    package func campaign(_ id: String) -> Campaign? {
        campaigns.first { $0.id.text.hasSameBytes(as: id) }
    }

    package func isUnreadable(_ id: String) -> Bool { unreadable.contains(Array(id.utf8)) }
}
