package import GronaFormats
package import Transitions

/// How a signer knows an envelope.
package enum SourceStanding: String, Sendable, Hashable {
    case signed
    case adopted
    /// It was given up, and nothing is made of it any more.
    case withdrawn
    case unknown
}

/// What a signer knows of one workspace: its audit log, folded line by line.
package struct SignerHistory: Sendable {
    /// How a digest came to be known.
    package enum Origin: Hashable, Sendable {
        case signed
        case adopted
    }

    private struct FloorSetter: Sendable {
        var version: ConfigVersion
        /// None for an adoption, which has nothing to repeat.
        var act: SignatureRecord?
    }

    private var origins: [String: Origin] = [:]
    private var versions: [String: ConfigVersion] = [:]
    private var floorSetters: [FloorSetter] = []
    private var withdrawn: Set<ConfigVersion> = []
    /// The digest of the payload that stands for the config URL under a version.
    private var payloads: [ConfigVersion: Set<String>] = [:]
    private var bundles: Set<String> = []
    private var switches = SwitchMemory()
    /// The highest version in the log, 0 if there is none.
    package private(set) var highest: Int64 = 0
    /// SHA-256 of the keyring as it was last recorded.
    package var keyring: String? { keyringChange?.after }
    /// What was last recorded of the keyring.
    package private(set) var keyringChange: KeyringRecord?
    package private(set) var count = 0
    /// When the last thing that each key signed ends.
    package private(set) var liveUntil: [KeyID: UnixTime] = [:]

    package init() {}

    /// Takes the next line in.
    package mutating func apply(_ record: AuditRecord) {
        count += 1
        switch record.act {
        case .signature(let signature):
            apply(signature)
        case .adoption(let adoption):
            if origins[adoption.digest] != .signed || isWithdrawn(adoption.digest) {
                origins[adoption.digest] = .adopted
            }
            versions[adoption.digest] = adoption.version
            withdrawn.remove(adoption.version)
            floorSetters.append(FloorSetter(version: adoption.version, act: nil))
            payloads[adoption.version, default: []].insert(adoption.digest)
            highest = max(highest, adoption.version.number)
            switches.add(adoption.off)
        case .withdrawal(let version, _):
            withdrawn.insert(version)
            switches.withdraw(version)
        case .keyring(let change):
            keyringChange = change
        case .grantsBegin, .grantsEnd:
            break
        }
    }

    private mutating func apply(_ signature: SignatureRecord) {
        liveUntil[signature.kid] = max(
            liveUntil[signature.kid] ?? signature.expiresAt, signature.expiresAt)
        guard let version = signature.version else { return }
        highest = max(highest, version.number)
        guard signature.role.isForConfigURL else {
            bundles.insert(signature.digest)
            return
        }
        origins[signature.digest] = .signed
        versions[signature.digest] = version
        payloads[version, default: []].insert(signature.digest)
        if signature.role.setsFloor {
            withdrawn.remove(version)
            floorSetters.append(FloorSetter(version: version, act: signature))
        }
        switches.apply(signature, version: version)
    }

    /// How a payload is known as a source; none for a foreign one and for one that was given up.
    package func origin(of digest: String) -> Origin? {
        isWithdrawn(digest) ? nil : origins[digest]
    }

    /// The same, with what was given up told from what was never known.
    package func standing(of digest: String) -> SourceStanding {
        switch origins[digest] {
        case nil: .unknown
        case _? where isWithdrawn(digest): .withdrawn
        case .signed?: .signed
        case .adopted?: .adopted
        }
    }

    /// The highest version below which a source is stale, 0 if there is none.
    package var floor: Int64 {
        floorSetters.lazy.filter { !withdrawn.contains($0.version) }
            .map(\.version.number).max() ?? 0
    }

    /// The campaigns that were switched off and not on again since, also those which are no longer
    /// served; ids as bytes.
    package var switchedOff: Set<[UInt8]> { switches.off }

    /// Whether `signature` does again what set the floor: same role, source and changes.
    package func repeatsFloor(
        role: TransitionRole, source: String, changes: SignedChanges
    ) -> Bool {
        let floor = floor
        return floorSetters.contains {
            $0.version.number == floor && $0.act?.role == .step(role) && $0.act?.source == source
                && $0.act?.changes == changes
        }
    }

    /// Whether another payload than `digest` stands for the config URL under `version`.
    package func isTaken(_ version: ConfigVersion, byOtherThan digest: String) -> Bool {
        payloads[version]?.contains { $0 != digest } ?? false
    }

    /// The lowest number above another that nothing for the config URL has; none after the last.
    package func firstFree(above version: ConfigVersion) -> ConfigVersion? {
        var next = version.next
        while let number = next, payloads[number] != nil { next = number.next }
        return next
    }

    /// Whether exactly this payload was signed here as a bundle.
    package func hasBundled(_ digest: String) -> Bool { bundles.contains(digest) }

    /// Whether anything for the config URL was signed or adopted under a version.
    package func knows(_ version: ConfigVersion) -> Bool { payloads[version] != nil }

    package func isWithdrawn(_ version: ConfigVersion) -> Bool { withdrawn.contains(version) }

    private func isWithdrawn(_ digest: String) -> Bool {
        versions[digest].map { withdrawn.contains($0) } ?? false
    }
}
