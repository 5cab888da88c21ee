package import GronaFormats
import JOSE
import Ledger
import Libcrypto
import SigningKeys

/// A signed config or bundle, checked as a device would check it.
package struct SignedEnvelope: Sendable {
    /// One line without a newline.
    package let bytes: [UInt8]
    /// The audit log's head after the line of this signature, in hex.
    package let auditHead: String
    package let notes: [SigningNote]
}

/// Signs drafts: audit line, signature, check, in this order.
package struct Signer: Sendable {
    package let keyring: Keyring
    /// SHA-256 of the keyring file in hex.
    package let keyringDigest: String
    /// Whether a keyring that was never seen before is refused.
    package let isStrict: Bool

    package init(keyring: Keyring, keyringDigest: String, isStrict: Bool) {
        self.keyring = keyring
        self.keyringDigest = keyringDigest
        self.isStrict = isStrict
    }

    /// Signs one draft with a key that has answered.
    ///
    /// The audit line is on the disk before the signature is computed; without it nothing is
    /// signed. The caller has opened its output by now.
    package func sign(
        _ draft: Draft, with key: KeyInHand, memory: inout SignerMemory, now: UnixTime
    ) throws(SigningError) -> SignedEnvelope {
        let answers = try sign([draft], with: key, memory: &memory, now: now)
        guard let answer = answers.first else { throw .memory(.busy) }
        return try answer.get()
    }

    /// Signs a group, whose audit lines reach the disk together before the first signature.
    ///
    /// - Returns: an answer a draft, in order; one that is refused does not hold up the others.
    /// - Throws: what concerns all of them, such as a keyring that has changed.
    package func sign(
        _ drafts: [Draft], with key: KeyInHand, memory: inout SignerMemory, now: UnixTime
    ) throws(SigningError) -> [Result<SignedEnvelope, SigningError>] {
        var refusals: [Int: SigningError] = [:]
        var isFirstUse = false
        try memory.record(at: now) { history throws(SigningError) in
            refusals = [:]
            var acts: [AuditRecord.Act] = []
            let first = try KeyringRule.record(
                of: keyringDigest, history: history, isStrict: isStrict)
            isFirstUse = first != nil
            var history = history
            for (index, draft) in drafts.enumerated() {
                do throws(SigningError) {
                    let own = try MemoryRule.records(
                        of: draft, history: history, states: keyring.states)
                    acts += own
                    for act in own {
                        history.apply(
                            AuditRecord(act, at: now, user: "", workspace: draft.workspace))
                    }
                } catch {
                    refusals[index] = error
                }
            }
            return acts.isEmpty ? [] : (first.map { [$0] } ?? []) + acts
        }
        let notes: [SigningNote] = isFirstUse ? [.keyringFirstUse(keyringDigest)] : []
        let head = memory.head.hex
        return drafts.enumerated().map { index, draft in
            if let refusal = refusals[index] { return .failure(refusal) }
            return Result { () throws(SigningError) in
                SignedEnvelope(
                    bytes: try envelope(draft, key, now), auditHead: head,
                    notes: draft.notes + notes)
            }
        }
    }

    private func envelope(
        _ draft: Draft, _ key: KeyInHand, _ now: UnixTime
    ) throws(SigningError) -> [UInt8] {
        let envelope: FlattenedJWS
        do throws(SigningKeyError) {
            envelope = try key.flattened(draft.payload)
        } catch {
            throw .key(key.record.kid, error)
        }
        return try SelfCheck.check(
            envelope, key: key, workspace: draft.workspace, now: now)
    }
}
