package import GronaFormats
package import Transitions

/// A payload that is ready to be signed: everything was decided and checked without a key.
package struct Draft: Sendable {
    package let role: TransitionRole
    package let workspace: WorkspaceName
    package let version: ConfigVersion
    package let issuedAt: UnixTime
    package let expiresAt: UnixTime
    /// The canonical bytes (RFC 8785).
    package let payload: [UInt8]
    /// SHA-256 of the payload in lower-case hex.
    package let digest: String
    package let key: KeyRecord
    /// The envelope it is made from; none for a campaign folder.
    package let source: DraftSource?
    /// For a restore, what is served.
    package let served: DraftSource?
    package let changes: SignedChanges
    /// How the switches stand in the payload.
    package let switches: SwitchPositions
    /// The highest version known beside the log: the source, `--after`, `--served`; else 0.
    package let knownVersion: Int64
    /// The version that a person repeated to allow a jump.
    package let allowedJump: Int64?
    package var notes: [SigningNote]

    /// Where no config is served, each version is above all that was signed before, bundles
    /// included (signed-configuration: The bundled copy).
    package let isAboveAll: Bool

    /// What the audit log keeps of it, given all that it knows.
    package func record(after history: SignerHistory) -> SignatureRecord {
        SignatureRecord(
            role: .step(role), kid: key.kid, thumbprint: key.thumbprint, version: version,
            digest: digest, issuedAt: issuedAt, expiresAt: expiresAt, source: source?.digest,
            changes: changes,
            switches: SignatureRole.step(role).setsFloor
                ? SwitchRecord(switches, remembered: history.switchedOff) : SwitchRecord())
    }
}

/// What is remembered of an envelope that a draft is made from.
package struct DraftSource: Hashable, Sendable {
    package let role: SourceRole
    package let version: ConfigVersion
    package let kid: KeyID
    package let digest: String
    package let switches: SwitchPositions

    package init(
        role: SourceRole, version: ConfigVersion, kid: KeyID, digest: String,
        switches: SwitchPositions
    ) {
        self.role = role
        self.version = version
        self.kid = kid
        self.digest = digest
        self.switches = switches
    }
}
