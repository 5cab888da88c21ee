import ES256
import GronaFormats

/// A grant key that an order backend trusts.
///
/// Source: offers-and-grants: The grant token, "the current key and the next one".
public struct GrantKey: Sendable, Hashable {
    /// The key id, as grants name it in their header.
    public let kid: String
    let identifier: KeyID
    let publicKey: P256PublicKey

    /// - Parameters:
    ///   - kid: 1 to 128 of `A-Z a-z 0-9 . _ : -`.
    ///   - publicKey: a P-256 key as standard base64 of its DER SubjectPublicKeyInfo, 91 bytes.
    public init(kid: String, publicKey: String) throws(GrantKeyError) {
        guard let identifier = KeyID(kid) else { throw .kid }
        do throws(PublicKeyError) {
            self.publicKey = try P256PublicKey(base64SPKI: publicKey)
        } catch {
            throw .publicKey
        }
        self.kid = kid
        self.identifier = identifier
    }
}

/// Why a grant key cannot be used.
public enum GrantKeyError: Error, Sendable, Hashable {
    /// The key id does not match its pattern.
    case kid
    /// Not a P-256 public key as base64 DER SubjectPublicKeyInfo.
    case publicKey
    /// The workspace does not match `[a-z0-9][a-z0-9-]{0,62}`.
    case workspace
    /// Two keys with one id.
    case kidTwice(String)
    /// One key under two ids.
    case keyTwice(String, String)
    /// Not a pins file as the signer writes it, or one that this library does not know.
    case pins
}
