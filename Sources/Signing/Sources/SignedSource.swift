import ES256
package import GronaFormats
package import JOSE
import Libcrypto
package import StrictJSON

/// An envelope that something is made from: its signature holds for a key of the keyring, and its
/// payload is one that a device could read.
///
/// The key may be in any state: whether the source may be used is asked of the audit log, since a
/// signature only proves that something was signed once.
package struct SignedSource: Sendable {
    package let role: SourceRole
    package let envelope: FlattenedJWS
    package let kid: KeyID
    package let payload: ConfigPayload
    /// SHA-256 of the decoded payload in lower-case hex.
    package let digest: String

    package var version: ConfigVersion { payload.version }
    package var root: JSONElement { payload.root }

    package var draftSource: DraftSource {
        DraftSource(
            role: role, version: version, kid: kid, digest: digest, switches: SwitchPositions(root))
    }

    /// Which rows are asked beside size, envelope, header, kid, signature, payload, workspace,
    /// schema, times and ttl.
    package enum Expiry: Sendable {
        /// A source that is over may still be renewed.
        case mayBeOver
        case mustBeAhead
    }

    /// Checks the rows of the device's table in its order.
    ///
    /// - Parameters:
    ///   - byteCount: the size of the envelope as it was read.
    ///   - trusted: the config keys that may have signed it.
    /// - Throws: `SigningError.source` with the first row that fails.
    package init(
        _ envelope: FlattenedJWS, byteCount: Int, role: SourceRole, keyring: Keyring,
        trusted: [KeyRecord], expiry: Expiry, now: UnixTime
    ) throws(SigningError) {
        do throws(RuleViolation) {
            try SizeRule.check(byteCount: byteCount)
            let header = try HeaderRule.read(envelope.protected)
            let kid = try KidRule.check(
                header, type: .config, pins: Set(trusted.map(\.kid)),
                states: Dictionary(
                    keyring.keys.map { ($0.kid, $0.state) }, uniquingKeysWith: { first, _ in first }
                ))
            let signature = try SignatureRule.decode(envelope.signature)
            let key = trusted.first { $0.kid == kid }.flatMap {
                try? P256PublicKey(spki: $0.publicKey.spki)
            }
            let digest = SHA256.digest(envelope.signingInput)
            try SignatureRule.check(
                holds: key?.isValidSignature(signature, for: digest) ?? false)
            let head = try PayloadRule.read(envelope.payload)
            try WorkspaceRule.check(head.workspace, needed: keyring.workspace.text)
            try SchemaRule.check(head.schema)
            _ = try TimesRule.check(head.root)
            if expiry == .mustBeAhead { try ExpiredRule.check(head.root, now: now) }
            _ = try TTLRule.check(head.root)
            payload = try ConfigPayload(head)
            self.kid = kid
        } catch {
            throw .source(role, error)
        }
        self.role = role
        self.envelope = envelope
        digest = SHA256.digest(payload.root.document.bytes).hex
    }

    /// The kid that an envelope names, before anything is known to be true.
    package static func kid(
        of envelope: FlattenedJWS, role: SourceRole
    ) throws(SigningError) -> KeyID? {
        do throws(RuleViolation) {
            return try HeaderRule.read(envelope.protected).kid.flatMap { KeyID($0) }
        } catch {
            throw .source(role, error)
        }
    }
}
