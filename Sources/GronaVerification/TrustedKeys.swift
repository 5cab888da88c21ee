package import ES256
package import GronaFormats

/// Why keys cannot be trusted as they are given.
package enum TrustError: Error, Sendable, Hashable {
    /// Not a P-256 public key.
    case publicKey(KeyID, PublicKeyError)
    /// The thumbprint on record is not that of the public key.
    case thumbprint(KeyID, workspace: WorkspaceName)
    /// One kid in two workspaces, or for two keys.
    case kidTwice(KeyID)
    /// One key under two kids, or for both uses.
    case keyTwice(KeyID, KeyID)

    package var code: RuleCode {
        switch self {
        case .publicKey: .keyMalformed
        case .thumbprint: .keyringMalformed
        case .kidTwice, .keyTwice: .keyBinding
        }
    }
}

/// A key that someone vouches for, and whether its signatures count.
package struct TrustedKey: Sendable {
    package let kid: KeyID
    package let use: KeyUse
    package let workspace: WorkspaceName
    package let publicKey: P256PublicKey
    /// Nil where it comes from a pins file.
    package let state: KeyState?
    /// A keyring's current, retiring and next keys; every pin.
    package let isTrusted: Bool
}

/// The keys by which documents are judged, from keyrings or from a pins file.
///
/// A kid names one key over all workspaces, so it also tells the workspace.
///
/// Source: signed-configuration: Pinned keys.
package struct TrustedKeys: Sendable {
    private var keys: [KeyID: TrustedKey] = [:]
    private var kids: [P256PublicKey: KeyID] = [:]

    package init() {}

    package init(keyrings: [Keyring]) throws(TrustError) {
        for keyring in keyrings { try add(keyring) }
    }

    package init(pins: PinsFile) throws(TrustError) {
        for use in KeyUse.allCases {
            for pin in pins[use] {
                let key = try Self.read(pin.publicKey, pin.kid)
                try add(
                    TrustedKey(
                        kid: pin.kid, use: use, workspace: pins.workspace, publicKey: key,
                        state: nil, isTrusted: true))
            }
        }
    }

    /// Takes in all keys of a keyring, those that no longer count for their state alone.
    package mutating func add(_ keyring: Keyring) throws(TrustError) {
        let trusted = Set(KeyUse.allCases.flatMap(keyring.trusted).map(\.kid))
        for record in keyring.keys {
            let key = try Self.read(record.publicKey, record.kid)
            guard key.thumbprint.hasSameBytes(as: record.thumbprint) else {
                throw .thumbprint(record.kid, workspace: keyring.workspace)
            }
            try add(
                TrustedKey(
                    kid: record.kid, use: record.use, workspace: keyring.workspace,
                    publicKey: key, state: record.state,
                    isTrusted: trusted.contains(record.kid)))
        }
    }

    package mutating func add(_ key: TrustedKey) throws(TrustError) {
        guard keys[key.kid] == nil else { throw .kidTwice(key.kid) }
        if let other = kids[key.publicKey] { throw .keyTwice(other, key.kid) }
        keys[key.kid] = key
        kids[key.publicKey] = key.kid
    }

    private static func read(
        _ text: PublicKeyText, _ kid: KeyID
    ) throws(TrustError) -> P256PublicKey {
        do throws(PublicKeyError) {
            return try P256PublicKey(spki: text.spki)
        } catch {
            throw .publicKey(kid, error)
        }
    }

    package subscript(kid: KeyID) -> TrustedKey? { keys[kid] }

    /// The key that a header names, whatever its state; nil for a text that is no kid of ours.
    package func key(named kid: String?) -> TrustedKey? {
        kid.flatMap(KeyID.init(_:)).flatMap { keys[$0] }
    }

    /// The kids of a use whose signatures count; `workspace` nil means in any.
    package func pins(_ use: KeyUse, workspace: String?) -> Set<KeyID> {
        Set(select(use, workspace).filter(\.isTrusted).map(\.kid))
    }

    /// The states of the keys of a use that no longer or not yet count.
    package func untrustedStates(_ use: KeyUse, workspace: String?) -> [KeyID: KeyState] {
        var states: [KeyID: KeyState] = [:]
        for key in select(use, workspace) where !key.isTrusted {
            states[key.kid] = key.state
        }
        return states
    }

    private func select(_ use: KeyUse, _ workspace: String?) -> [TrustedKey] {
        keys.values.filter { key in
            key.use == use
                && (workspace.map { key.workspace.text.hasSameBytes(as: $0) } ?? true)
        }
    }
}
