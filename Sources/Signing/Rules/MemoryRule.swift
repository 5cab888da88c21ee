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
        try switches(of: draft, history, isForeign: adoption != nil)
        try VersionRule.check(draft, history, isForeign: adoption != nil)
        let signature = AuditRecord.Act.signature(draft.record(after: history))
        return adoption.map { [.adoption($0), signature] } ?? [signature]
    }

    private static func source(
        of draft: Draft, _ history: SignerHistory, _ states: [KeyID: KeyState]
    ) throws(SigningError) -> AdoptionRecord? {
        guard let source = draft.source else { return nil }
        let adoption = try known(source, draft, history, states)
        var newest = source
        if let served = draft.served {
            _ = try known(served, draft, history, states)
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
        _ source: DraftSource, _ draft: Draft, _ history: SignerHistory,
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
            guard mayAdopt(source, draft, history), state == .current || state == .retiring else {
                throw .foreignSource(
                    source.role, version: source.version, digest: source.digest,
                    isLogNew: history.highest == 0)
            }
            guard source.version.number >= history.floor else {
                throw .staleSource(source.role, version: source.version, floor: history.floor)
            }
            return AdoptionRecord(
                version: source.version, digest: source.digest, kid: source.kid,
                reason: "kill", byKill: true,
                off: SwitchRecord(source.switches, remembered: history.switchedOff).off)
        }
    }

    /// Only a kill that really stops something takes a source in, and never a bundle, in which
    /// offers are missing.
    private static func mayAdopt(
        _ source: DraftSource, _ draft: Draft, _ history: SignerHistory
    ) -> Bool {
        draft.role == .kill && !history.hasBundled(source.digest)
            && !source.switches.plainlyOn.isDisjoint(with: draft.switches.plainlyOff)
    }

    /// Neither a restore nor a kill of a foreign source brings back what was switched off here.
    private static func switches(
        of draft: Draft, _ history: SignerHistory, isForeign: Bool
    ) throws(SigningError) {
        guard isForeign || draft.role == .restore else { return }
        let back = draft.switches.on.intersection(history.switchedOff)
        guard back.isEmpty else {
            throw .transition(
                back.map(SwitchRecord.text).sorted().map {
                    TransitionViolation(
                        member: "enabled", pointer: "/campaigns", campaign: $0,
                        reason: .rememberedOff)
                })
        }
    }
}
