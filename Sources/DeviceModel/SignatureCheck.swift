package import GronaFormats

/// What is to be checked, with which key, before an outcome can be told.
package struct SignatureQuestion: Sendable, Hashable {
    package let kid: KeyID
    /// The ASCII bytes of `protected`, a dot and `payload` (RFC 7515 5.1).
    package let signingInput: [UInt8]
    /// R then S, 64 bytes.
    package let signature: [UInt8]

    package init(kid: KeyID, signingInput: [UInt8], signature: [UInt8]) {
        self.kid = kid
        self.signingInput = signingInput
        self.signature = signature
    }
}

/// What the check of a signature said; what was not checked does not hold.
package enum SignatureCheck: Sendable, Hashable {
    case holds
    case fails
    case notChecked
}
