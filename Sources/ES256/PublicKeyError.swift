package import Libcrypto

/// Why something is not a P-256 public key in the one form in which keys are exchanged.
package enum PublicKeyError: Error, Hashable, Sendable {
    /// Not strict base64.
    case notBase64
    /// Not a `SubjectPublicKeyInfo` in DER: truncated, another structure, a longer length form.
    case malformed
    /// The key of another algorithm than id-ecPublicKey.
    case otherAlgorithm(ObjectIdentifier)
    /// A named curve other than P-256.
    case otherCurve(ObjectIdentifier)
    /// The curve is spelled out, so that it may be any (CVE-2020-0601).
    case explicitParameters
    /// A point that starts with 02 or 03.
    case compressedPoint
    /// A point that starts with 06 or 07.
    case hybridPoint
    /// A point of another length or first byte, the point at infinity included.
    case badPoint
    case trailingBytes(count: Int)
    /// X or Y not below the field's prime, or X and Y that do not satisfy the curve's equation.
    case notOnCurve
    /// A JWK without `"kty":"EC"` and `"crv":"P-256"`, or without X and Y in strict base64url of 32
    /// bytes each (RFC 7518, 6.2.1).
    case badJWK(member: String)
    /// A JWK with a private value, which is for no one to see.
    case privateJWK
    /// libcrypto has no P-256.
    case libcrypto(LibcryptoError)
}
