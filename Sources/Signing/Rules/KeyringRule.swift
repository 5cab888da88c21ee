import GronaFormats

/// Whether the keyring is the one that the log knows: who can write a file could otherwise give the
/// signer another key.
package enum KeyringRule {
    /// The record that is still missing: none where the log names this very keyring.
    ///
    /// - Parameter digest: SHA-256 of the keyring file in hex.
    /// - Parameter isStrict: whether a keyring that is seen for the first time is refused.
    package static func record(
        of digest: String, history: SignerHistory, isStrict: Bool
    ) throws(SigningError) -> AuditRecord.Act? {
        guard let recorded = history.keyring else {
            guard !isStrict else { throw .keyring(.firstUse(digest)) }
            return .keyring(KeyringRecord(change: .firstUse, before: nil, after: digest))
        }
        guard recorded == digest else {
            throw .keyring(
                history.keyringChange?.before == digest
                    ? .unfinished(recorded: recorded, found: digest)
                    : .changed(recorded: recorded, found: digest))
        }
        return nil
    }
}
