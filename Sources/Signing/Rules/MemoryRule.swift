package import GronaFormats
import Transitions

/// What the signer's own memory says to a draft: is the source known and new enough, is the number
/// free.
///
/// A signature proves that a source was signed once, not that it is the newest, so a signature is
/// asked for nothing here.
package enum MemoryRule {
    /// The records that a signature of `draft` leaves, adoption first.
    ///
    /// - Parameter states: the state of each key of the keyring.
    /// - Throws: the first rule that refuses.
    package static func records(
        of draft: Draft, history: SignerHistory, states: [KeyID: KeyState]
    ) throws(SigningError) -> [AuditRecord.Act] {
        let adoption = try source(of: draft, history, states)
        try version(of: draft, history)
        let signature = AuditRecord.Act.signature(draft.record)
        return adoption.map { [.adoption($0), signature] } ?? [signature]
    }

    private static func source(
        of draft: Draft, _ history: SignerHistory, _ states: [KeyID: KeyState]
    ) throws(SigningError) -> AdoptionRecord? {
        guard let source = draft.source else { return nil }
        let adoption = try known(source, draft.role, history, states)
        var newest = source
        if let served = draft.served {
            _ = try known(served, draft.role, history, states)
            newest = served
        }
        let repeats = history.repeatsFloor(
            role: draft.role, source: source.digest, changes: draft.changes)
        guard newest.version.number >= history.floor || repeats else {
            throw .staleSource(newest.role, version: newest.version, floor: history.floor)
        }
        return adoption
    }

    /// Whether a source stands in the log; the record that takes it in where `kill` may do so.
    private static func known(
        _ source: DraftSource, _ role: TransitionRole, _ history: SignerHistory,
        _ states: [KeyID: KeyState]
    ) throws(SigningError) -> AdoptionRecord? {
        let state = states[source.kid]
        switch history.origin(of: source.digest) {
        case .signed:
            return nil
        case .adopted:
            guard state != .compromised else { throw .compromisedSource(source.role, source.kid) }
            return nil
        case nil:
            guard state != .compromised else { throw .compromisedSource(source.role, source.kid) }
            guard role == .kill, state == .current || state == .retiring else {
                throw .foreignSource(
                    source.role, version: source.version, digest: source.digest)
            }
            guard source.version.number >= history.floor else {
                throw .staleSource(source.role, version: source.version, floor: history.floor)
            }
            return AdoptionRecord(
                version: source.version, digest: source.digest, kid: source.kid,
                reason: "kill", byKill: true)
        }
    }

    private static func version(of draft: Draft, _ history: SignerHistory) throws(SigningError) {
        let highest = max(history.highest, draft.knownVersion)
        if draft.isFromFolder && draft.role == .bundle {
            guard draft.version.number > history.highest || history.hasBundled(draft.digest) else {
                throw .version(
                    .notAbove(
                        draft.version, highest: history.highest, next: ConfigVersion(highest + 1)))
            }
        }
        let isJump = VersionStep.isJump(
            draft.version.number, above: highest, allowed: draft.allowedJump)
        guard !isJump else { throw .version(.jump(draft.version, highest: highest)) }
        guard draft.role != .bundle else { return }
        guard !history.isTaken(draft.version, byOtherThan: draft.digest) else {
            throw .version(.reused(draft.version, next: ConfigVersion(highest + 1)))
        }
    }
}
