import JOSE

/// Row `signature`: base64url of 64 bytes, R then S, that hold for the key which `kid` names.
///
/// Source: signed-configuration: The envelope; RFC 7518 3.4.
package enum SignatureRule {
    package static let length = 64

    /// - Parameter text: the base64url text of the signature.
    package static func decode(_ text: [UInt8]) throws(RuleViolation) -> [UInt8] {
        guard let raw = Base64URL.decode(text) else {
            throw RuleViolation(.signatureMalformed, .notBase64URL)
        }
        guard raw.count == length else {
            throw RuleViolation(.signatureMalformed, .signatureLength(raw.count))
        }
        return raw
    }

    package static func check(holds: Bool) throws(RuleViolation) {
        guard holds else { throw RuleViolation(.signatureInvalid) }
    }
}
