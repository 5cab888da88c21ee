import ES256
import GronaFormats
import JOSE
import StrictJSON

/// The codes with which one kind of token is refused.
struct TokenCodes {
    let type: DocumentType
    let tooLarge: RuleCode
    let malformed: RuleCode
    let workspace: RuleCode
    let issuedAt: RuleCode
    let lifetime: RuleCode
    let expired: RuleCode
    let longest: DurationSeconds

    static let grant = TokenCodes(
        type: .grant, tooLarge: .grantTooLarge, malformed: .grantMalformed,
        workspace: .grantWorkspace, issuedAt: .grantIssuedAt, lifetime: .grantLifetime,
        expired: .grantExpired, longest: Limits.grantLifetime)
    static let preview = TokenCodes(
        type: .preview, tooLarge: .previewTooLarge, malformed: .previewMalformed,
        workspace: .previewWorkspace, issuedAt: .previewIssuedAt, lifetime: .previewLifetime,
        expired: .previewExpired, longest: Limits.previewLifetime)
}

// Reading the parts of a token, each with the codes of its kind.
extension TokenCodes {
    func parse(
        _ bytes: [UInt8]
    ) throws(RuleViolation) -> (jws: CompactJWS, payload: [UInt8]) {
        let jws: CompactJWS
        do throws(CompactJWSError) {
            jws = try CompactJWS(parsing: bytes)
        } catch {
            throw RuleViolation(malformed, .parts(error.partCount))
        }
        guard Base64URL.decode(jws.protected) != nil, Base64URL.decode(jws.signature) != nil,
            let payload = Base64URL.decode(jws.payload)
        else { throw RuleViolation(malformed, .notBase64URL) }
        return (jws, payload)
    }

    /// Without a workspace it is that of the kid's keyring.
    func signer(
        _ header: HeaderMembers, _ trust: TrustedKeys, _ workspace: String?
    ) throws(RuleViolation) -> TrustedKey {
        let use = type.keyUse
        let candidate = trust.key(named: header.kid).flatMap { key in
            key.use == use && workspace.map(key.workspace.text.hasSameBytes(as:)) ?? true
                ? key : nil
        }
        _ = try KidRule.check(
            header, type: type, isPinned: { _ in candidate?.isTrusted ?? false },
            state: { _ in candidate?.state })
        guard let key = candidate else {
            throw RuleViolation(.headerUnknownKid, .kid(header.kid, state: nil))
        }
        return key
    }

    /// The claims set: a JSON object (RFC 7519 4).
    func claims(_ payload: [UInt8]) throws(RuleViolation) -> JSONElement {
        let root: JSONElement
        do throws(JSONError) {
            root = try JSONDocument.parse(payload, maximumDepth: Limits.depth).root
        } catch {
            throw RuleViolation(malformed, .json(error))
        }
        guard root.kind == .object else { throw RuleViolation(malformed, .notAnObject) }
        return root
    }
}
