package import GronaFormats
package import JOSE
import StrictJSON

/// An envelope as far as it can be read without a key: the first of two steps.
///
/// Its payload is read once, for any number of installs; nothing of it shows in an outcome before
/// the signature holds.
package struct EnvelopeReading: Sendable {
    package let byteCount: Int
    /// Whether the document was too large to be read: then only its size is checked.
    let isUnread: Bool
    package let jws: Result<FlattenedJWS, RuleViolation>
    /// Nil when there is no envelope to take it from.
    package let header: Result<HeaderMembers, RuleViolation>?
    let payload: Result<PayloadHead, RuleViolation>?
    let config: Result<ConfigPayload, RuleViolation>?
    let payloadByteCount: Int

    /// - Parameter bytes: the whole envelope; the caller has capped it.
    package init(_ bytes: [UInt8]) {
        self.init(
            byteCount: bytes.count,
            .init { () throws(RuleViolation) in try EnvelopeRule.read(bytes) })
    }

    /// A document that was not read, since it has more bytes than any reader takes.
    package init(unreadBytes count: Int, limit: Int) {
        self.init(
            byteCount: count,
            .failure(RuleViolation(.envelopeTooLarge, .size(count, limit: limit))),
            isUnread: true)
    }

    /// An envelope that is at hand in its parts.
    package init(_ jws: FlattenedJWS) {
        self.init(byteCount: jws.serialized().count, .success(jws))
    }

    private init(
        byteCount: Int, _ jws: Result<FlattenedJWS, RuleViolation>, isUnread: Bool = false
    ) {
        self.byteCount = byteCount
        self.isUnread = isUnread
        self.jws = jws
        guard case .success(let parts) = jws else {
            (header, payload, config, payloadByteCount) = (nil, nil, nil, 0)
            return
        }
        header = .init { () throws(RuleViolation) in try HeaderRule.read(parts.protected) }
        let head = Result { () throws(RuleViolation) in try PayloadRule.read(parts.payload) }
        payload = head
        config = head.flatMap { head in
            .init { () throws(RuleViolation) in try ConfigPayload(head) }
        }
        payloadByteCount = (try? head.get())?.root.document.bytes.count ?? 0
    }

    /// What an install with these pins checks, nil where it rejects before the signature.
    package func question(for install: Install) -> SignatureQuestion? {
        guard case .success(let jws) = jws, case .success(let header) = header,
            let kid = try? KidRule.check(header, type: .config, pins: install.pins),
            let signature = try? SignatureRule.decode(jws.signature)
        else { return nil }
        return SignatureQuestion(
            kid: kid, signingInput: jws.signingInput, signature: signature)
    }
}
