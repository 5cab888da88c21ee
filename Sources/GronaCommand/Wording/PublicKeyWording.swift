package import CommandLineKit
package import ES256

/// The words for what is no P-256 public key as keys are exchanged here.
package enum PublicKeyWording {
    package static func message(_ error: PublicKeyError) -> String {
        switch error {
        case .notBase64: "the public key is not base64 with its padding"
        case .malformed: "not a SubjectPublicKeyInfo in DER"
        case .otherAlgorithm: "the key of another algorithm than elliptic curves"
        case .otherCurve: "a key on another curve than P-256"
        case .explicitParameters: "a curve that is spelled out, where only its name is taken"
        case .compressedPoint: "a compressed point, where only the uncompressed form is taken"
        case .hybridPoint: "a hybrid point, where only the uncompressed form is taken"
        case .badPoint: "a point of another length or form than 65 bytes after 04"
        case .trailingBytes(let count): "\(count) bytes follow the key"
        case .notOnCurve: "a point that is not on P-256"
        case .badJWK(let member): "no P-256 key as JWK: the member \"\(member)\""
        case .privateJWK: "a JWK with its private value"
        case .libcrypto: "libcrypto has no P-256"
        }
    }

    /// What to do about it.
    package static func help(_ error: PublicKeyError) -> String? {
        switch error {
        case .explicitParameters, .compressedPoint, .hybridPoint:
            "'openssl ec -param_enc named_curve -conv_form uncompressed' writes the form taken here"
        case .otherCurve, .otherAlgorithm:
            "'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256' makes a P-256 key"
        case .privateJWK: "give the public half only, and treat the key as shown to others"
        case .notBase64, .malformed, .badPoint, .trailingBytes, .notOnCurve, .badJWK, .libcrypto:
            nil
        }
    }

    package static func status(_ error: PublicKeyError) -> ExitStatus {
        switch error {
        case .libcrypto: .fault
        case .notBase64, .malformed, .otherAlgorithm, .otherCurve, .explicitParameters,
            .compressedPoint, .hybridPoint, .badPoint, .trailingBytes, .notOnCurve, .badJWK,
            .privateJWK:
            .refused
        }
    }
}
