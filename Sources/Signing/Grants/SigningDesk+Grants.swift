package import GronaFormats
import GronaVerification
import JOSE
import Libcrypto
package import LinuxIO
import SigningKeys

extension SigningDesk {
    /// One grant: the run is in the audit log and the grant in the issuance log before its token is
    /// made.
    ///
    /// - Parameters:
    ///   - folder: of the issuance logs; it is there.
    ///   - process: the number of this process.
    /// - Returns: the token (RFC 7515 7.1).
    package mutating func grant(
        _ claims: GrantClaims, with key: KeyInHand, loggingIn folder: FilePath, process: Int32,
        now: UnixTime
    ) throws(SigningError) -> [UInt8] {
        let text = claims.canonical()
        try Self.checkSize(of: text, key, .grant)
        var log: IssuanceLog
        do {
            log = try IssuanceLog(in: folder, start: now, process: process)
        } catch {
            throw .memory(.issuanceLog(error))
        }
        let name = log.name
        try record(at: now) {
            .grantsBegin(kid: key.record.kid, thumbprint: key.record.thumbprint, log: name)
        }
        do {
            try log.append(claims, kid: key.record.kid)
        } catch {
            throw .memory(.issuanceLog(error))
        }
        let token = try Self.token(text, key, .grant)
        let checker = TokenChecker(trust: try Self.trust(key, workspace))
        let report = checker.checkGrant(
            token, GrantQuery(workspace: workspace.text, subject: claims.subject), at: now
        ) { _, _ in .notAsked }
        if let violation = report.violation { throw .ownEnvelope(violation) }
        let count = log.count
        let digest = log.finish().hex
        try record(at: now) { .grantsEnd(count: count, log: name, digest: digest) }
        return token
    }

    /// One preview pin, in the audit log before it is made.
    package mutating func preview(
        _ claims: PreviewClaims, with key: KeyInHand, now: UnixTime
    ) throws(SigningError) -> [UInt8] {
        let text = claims.canonical()
        try Self.checkSize(of: text, key, .preview)
        try record(at: now) {
            .signature(
                SignatureRecord(
                    role: .preview, kid: key.record.kid, thumbprint: key.record.thumbprint,
                    version: nil, digest: SHA256.digest(text).hex, issuedAt: claims.issuedAt,
                    expiresAt: claims.expiresAt))
        }
        let token = try Self.token(text, key, .preview)
        let checker = TokenChecker(trust: try Self.trust(key, workspace))
        let report = checker.checkPreview(token, workspace: workspace.text, at: now)
        if let violation = report.violation { throw .ownEnvelope(violation) }
        return token
    }

    /// Records an act of this keyring, after the keyring itself where the log does not know it.
    package mutating func record(
        at now: UnixTime, _ act: () -> AuditRecord.Act
    ) throws(SigningError) {
        let (digest, isStrict) = (keyringDigest, isStrict)
        _ = try memory.record(at: now) { history throws(SigningError) in
            let first = try KeyringRule.record(
                of: digest, history: history, isStrict: isStrict)
            return (first.map { [$0] } ?? []) + [act()]
        }
    }

    /// The size of the token is known before it is signed.
    private static func checkSize(
        of claims: [UInt8], _ key: KeyInHand, _ type: DocumentType
    ) throws(SigningError) {
        let header = key.header(type)
        let signature = (SignatureRule.length * 4 + 2) / 3
        let size = header.count + 1 + (claims.count * 4 + 2) / 3 + 1 + signature
        let limit = Limits.token.signing
        guard size <= limit else {
            throw type == .grant
                ? .grant(.tokenTooLarge(size, limit: limit))
                : .preview(.tokenTooLarge(size, limit: limit))
        }
    }

    private static func token(
        _ claims: [UInt8], _ key: KeyInHand, _ type: DocumentType
    ) throws(SigningError) -> [UInt8] {
        do throws(SigningKeyError) {
            return try key.compact(claims, type).serialized()
        } catch {
            throw .key(key.record.kid, error)
        }
    }

    /// What an app that pins this key alone trusts.
    private static func trust(
        _ key: KeyInHand, _ workspace: WorkspaceName
    ) throws(SigningError) -> TrustedKeys {
        let pin = [Pin(kid: key.record.kid, publicKey: key.record.publicKey)]
        let isGrant = key.record.use == .grant
        let pins = PinsFile(
            id: nil, workspace: workspace, config: isGrant ? [] : pin, grant: isGrant ? pin : [])
        do throws(TrustError) {
            return try TrustedKeys(pins: pins)
        } catch {
            throw .keyring(.unknownKey(key.record.kid))
        }
    }
}
