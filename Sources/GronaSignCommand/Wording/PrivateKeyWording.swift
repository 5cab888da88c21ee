import ES256

/// The words for what is no P-256 private key that may sign; nothing of the file's contents.
enum PrivateKeyWording {
    private static let convert =
        "'openssl pkcs8 -topk8 -nodes -in FILE' writes a P-256 key in a form that is taken"
    private static let make =
        "'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256' makes a key"

    static func message(_ error: PrivateKeyError) -> String {
        switch error {
        case .notPEM: "there is no line -----BEGIN …-----"
        case .binary: "a binary file, not PEM"
        case .malformedPEM(let line): "line \(line) is no line of PEM"
        case .textBeforeKey(let line): "line \(line) stands before the key and is not empty"
        case .trailingData: "something follows the key"
        case .secondKey: "there is a second key"
        case .publicKey: "a public key, not a private one"
        case .certificate: "a certificate, not a private key"
        case .otherBlock(let label):
            label == .unknown
                ? "a block of PEM that is no private key"
                : "\(label.rawValue) is no private key on P-256"
        case .legacyEncryption: "encrypted in the old way, whose key derivation is one MD5"
        case .malformed: "what is in it is not what its label says"
        case .otherAlgorithm(let algorithm):
            "the key of another algorithm\(suffix(algorithm))"
        case .otherCurve(let curve): "a key on another curve than P-256\(suffix(curve))"
        case .explicitParameters: "a curve that is spelled out, where only its name is taken"
        case .noCurve: "the key does not say its curve"
        case .scalarLength(let count): "the private value is written as \(count) bytes, not 32"
        case .scalarOutOfRange: "the private value is not within 1 to n-1"
        case .compressedPoint: "a compressed point, where only the uncompressed form is taken"
        case .hybridPoint: "a hybrid point, where only the uncompressed form is taken"
        case .badPoint: "the public half is no point of P-256"
        case .publicHalfMismatch: "the public half is not what the private half gives"
        case .passphraseNeeded: "it is encrypted, and no passphrase was given"
        case .wrongPassphrase: "not its passphrase, or a damaged file"
        case .unsupportedEncryption(let scheme): "encrypted in an unknown way\(suffix(scheme))"
        case .costlyEncryption: "its key derivation would take minutes or gigabytes"
        case .outOfSecretMemory: "the system gives no more memory for secrets"
        case .libcrypto: "libcrypto failed at something that never fails"
        }
    }

    static func help(_ error: PrivateKeyError) -> String {
        switch error {
        case .binary: "'openssl pkey -inform DER -in FILE' turns DER into PEM"
        case .notPEM, .malformedPEM, .malformed, .badPoint, .publicHalfMismatch,
            .scalarLength, .scalarOutOfRange:
            "take the key from its backup"
        case .textBeforeKey, .trailingData, .secondKey: "leave one key alone in the file"
        case .publicKey, .certificate, .otherBlock: "name the file with the private key"
        case .legacyEncryption, .unsupportedEncryption, .costlyEncryption:
            "'openssl pkcs8 -topk8 -v2 aes-256-cbc -in FILE' encrypts it in a way that is taken"
        case .otherAlgorithm, .otherCurve: make
        case .explicitParameters, .noCurve, .compressedPoint, .hybridPoint: convert
        case .passphraseNeeded, .wrongPassphrase:
            "--passphrase-file FILE, GRONA_PASSPHRASE_FILE, or a terminal"
        case .outOfSecretMemory: "raise 'ulimit -l'"
        case .libcrypto: "check the installation of OpenSSL"
        }
    }

    private static func suffix(_ identifier: ObjectIdentifier) -> String {
        identifier.dotted.map { " (\($0))" } ?? ""
    }
}
