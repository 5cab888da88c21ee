// What an SDK or an order backend rejects by: envelope, header, signature.
extension RuleCode {
    /// Envelope over 768 KB (signed-configuration: What the SDK checks).
    package static let envelopeTooLarge = RuleCode("envelope.too-large")
    /// Not a JSON object with exactly the members `protected`, `payload`, `signature` (signed-
    /// configuration: The envelope; RFC 7515 7.2.2).
    package static let envelopeMalformed = RuleCode("envelope.malformed")
    /// The protected header is no base64url, or no JSON object (RFC 7515 4).
    package static let headerMalformed = RuleCode("header.malformed")
    /// The protected header does not hold exactly `alg`, `kid`, `typ` (signed-configuration: The
    /// envelope).
    package static let headerMembers = RuleCode("header.members")
    /// `alg` is not `ES256` (signed-configuration: The envelope; RFC 7518 3.4).
    package static let headerAlgorithm = RuleCode("header.alg")
    /// `typ` is not what the kind of document demands (signed-configuration: The envelope;
    /// offers-and-grants: The grant token).
    package static let headerType = RuleCode("header.typ")
    /// `kid` names no trusted key (signed-configuration: Pinned keys).
    package static let headerUnknownKid = RuleCode("header.unknown-kid")
    /// The signature is no base64url of 64 bytes (signed-configuration: The envelope).
    package static let signatureMalformed = RuleCode("signature.malformed")
    /// The signature does not hold for the key that `kid` names (signed-configuration: What the
    /// SDK checks, Signature).
    package static let signatureInvalid = RuleCode("signature.invalid")
}
