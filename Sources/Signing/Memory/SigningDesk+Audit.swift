package import GronaFormats

extension SigningDesk {
    /// Takes envelopes in that were signed elsewhere; what is known already stays as it is.
    ///
    /// - Parameter sources: verified by the rows up to `times`, by keys that are trusted now.
    /// - Returns: those that were taken in.
    package mutating func adopt(
        _ sources: [SignedSource], reason: String, now: UnixTime
    ) throws(SigningError) -> [DraftSource] {
        var taken: [DraftSource] = []
        for start in stride(from: 0, to: sources.count, by: Self.adoptionGroup) {
            let group = sources[start..<min(start + Self.adoptionGroup, sources.count)]
            taken += try adopt(group.map(\.draftSource), reason, now)
        }
        return taken
    }

    /// How many adoptions reach the disk together; the log takes 64 records at once.
    private static let adoptionGroup = 63

    private mutating func adopt(
        _ sources: [DraftSource], _ reason: String, _ now: UnixTime
    ) throws(SigningError) -> [DraftSource] {
        var taken: [DraftSource] = []
        let (digest, isStrict) = (keyringDigest, isStrict)
        _ = try memory.record(at: now) { history throws(SigningError) in
            taken = sources.filter { history.origin(of: $0.digest) == nil }
            let first = try KeyringRule.record(
                of: digest, history: history, isStrict: isStrict)
            let acts = taken.map { source in
                AuditRecord.Act.adoption(
                    AdoptionRecord(
                        version: source.version, digest: source.digest, kid: source.kid,
                        reason: reason,
                        off: source.switches.off.subtracting(history.switchedOff)
                            .map(SwitchRecord.text)))
            }
            return acts.isEmpty ? [] : (first.map { [$0] } ?? []) + acts
        }
        return taken
    }

    /// Gives a version up that was signed and never published: the floor goes below it.
    ///
    /// - Returns: whether it was not given up before.
    package mutating func withdraw(
        _ version: ConfigVersion, reason: String, now: UnixTime
    ) throws(SigningError) -> Bool {
        var isNew = false
        _ = try memory.record(at: now) { history throws(SigningError) in
            guard history.knows(version) else { throw .version(.unknown(version)) }
            isNew = !history.isWithdrawn(version)
            return isNew ? [.withdrawal(version: version, reason: reason)] : []
        }
        return isNew
    }

    /// Takes a keyring as it is now, after it was changed elsewhere.
    ///
    /// - Returns: whether it was another one that was recorded.
    package mutating func acceptKeyring(now: UnixTime) throws(SigningError) -> Bool {
        var isNew = false
        let digest = keyringDigest
        _ = try memory.record(at: now) { history throws(SigningError) in
            isNew = history.keyring != digest
            guard isNew else { return [] }
            return [
                .keyring(
                    KeyringRecord(change: .accepted, before: history.keyring, after: digest))
            ]
        }
        return isNew
    }
}
