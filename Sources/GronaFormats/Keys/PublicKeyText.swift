import JOSE

/// A P-256 public key as files carry it: 91 bytes of DER SubjectPublicKeyInfo, in standard base64.
///
/// Only the length is looked at here; whether the bytes are a point of the curve is for the reader
/// of keys to say.
///
/// Source: signed-configuration: Pinned keys.
package struct PublicKeyText: Sendable, Hashable {
    package static let length = 91

    package let base64: String
    package let spki: [UInt8]

    /// Nil for padding that is missing, other characters, white space or another length.
    package init?(_ base64: String) {
        guard let spki = Base64.decode(base64), spki.count == Self.length else { return nil }
        self.base64 = base64
        self.spki = spki
    }

    /// Nil for another length.
    package init?(spki: [UInt8]) {
        guard spki.count == Self.length else { return nil }
        self.spki = spki
        base64 = Base64.encodedString(spki)
    }
}
