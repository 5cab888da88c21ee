package import ES256
package import GronaFormats
import StrictJSON

/// A key that is to be added to a keyring.
package struct KeyAddition: Sendable {
    package let kid: KeyID
    package let use: KeyUse
    /// The signer URI.
    package let signer: String
    package let publicKey: P256PublicKey
    package let change: KeyringRecord.Change

    package init(
        kid: KeyID, use: KeyUse, signer: String, publicKey: P256PublicKey,
        change: KeyringRecord.Change
    ) {
        self.kid = kid
        self.use = use
        self.signer = signer
        self.publicKey = publicKey
        self.change = change
    }

    /// The keyring with the key in it: the first key of its use signs at once, which is recorded as
    /// bootstrap, since there is no install yet that would have to know it; any other waits until
    /// the apps pin it (signed-configuration: Pinned keys).
    ///
    /// - Parameters:
    ///   - keyring: none where this is the first key of all.
    ///   - id: the name of a new keyring.
    package func applied(
        to keyring: Keyring?, workspace: WorkspaceName, id: KeyringID, now: UnixTime
    ) throws(SigningError) -> (keyring: Keyring, record: KeyRecord) {
        var keyring = keyring ?? Keyring(id: id, workspace: workspace)
        guard keyring.key(kid) == nil else { throw .keyring(.kidTaken(kid)) }
        guard let text = PublicKeyText(spki: publicKey.spki) else {
            throw .keyring(.unknownKey(kid))
        }
        let isFirst = !keyring.keys.contains { $0.use == use }
        let record = KeyRecord(
            kid: kid, use: use, signer: signer, publicKey: text, thumbprint: publicKey.thumbprint,
            born: KeyEvent(
                state: isFirst ? .current : .generated, at: now,
                details: isFirst ? [("bootstrap", .boolean(true))] : []))
        keyring.keys.append(record)
        return (keyring, record)
    }

    /// What the audit log says ahead of the change; digests in hex.
    package func record(state: KeyState, before: String?, after: String) -> KeyringRecord {
        KeyringRecord(
            change: change, before: before, after: after, kid: kid,
            thumbprint: publicKey.thumbprint, use: use, state: state)
    }
}
