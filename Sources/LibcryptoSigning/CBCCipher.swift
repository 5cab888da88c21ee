import CLibcrypto
import ES256
import Libcrypto
import SecretMemory

/// AES in CBC mode with its initial vector (RFC 8018, B.2.5).
struct CBCCipher {
    enum Size: UInt8, CaseIterable {
        case aes128 = 2
        case aes192 = 22
        case aes256 = 42
    }

    static let blockByteCount = 16

    let size: Size
    let initialVector: [UInt8]

    var keyByteCount: Int {
        switch size {
        case .aes128: 16
        case .aes192: 24
        case .aes256: 32
        }
    }

    /// 2.16.840.1.101.3.4.1, then the last arc.
    var identifier: ObjectIdentifier { Self.identifier(size) }

    private static func identifier(_ size: Size) -> ObjectIdentifier {
        ObjectIdentifier(
            contents: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, size.rawValue])
    }

    init(size: Size, initialVector: [UInt8]) {
        self.size = size
        self.initialVector = initialVector
    }

    /// - Parameter range: the contents of an `AlgorithmIdentifier`.
    init(_ range: Range<Int>, of text: Span<UInt8>) throws(PrivateKeyError) {
        var fields = DERReader(range)
        guard let algorithm = fields.read(DERTag.objectIdentifier, in: text)
        else { throw .malformed }
        let identifier = ObjectIdentifier(algorithm, of: text)
        guard let size = Size.allCases.first(where: { Self.identifier($0) == identifier })
        else { throw .unsupportedEncryption(identifier) }
        guard let vector = fields.read(DERTag.octetString, in: text), fields.isAtEnd,
            vector.count == Self.blockByteCount
        else { throw .malformed }
        self.size = size
        initialVector = vector.map { text[$0] }
    }

    private var name: String {
        switch size {
        case .aes128: "AES-128-CBC"
        case .aes192: "AES-192-CBC"
        case .aes256: "AES-256-CBC"
        }
    }

    /// - Throws: `wrongPassphrase` where the padding is none.
    func decrypt(
        _ ciphertext: [UInt8], key: borrowing SecretBytes
    ) throws(PrivateKeyError) -> SecretBytes {
        guard ciphertext.count % Self.blockByteCount == 0, !ciphertext.isEmpty
        else { throw .malformed }
        return try run(ciphertext.span, key: key, isEncrypting: false)
    }

    func encrypt(
        _ text: Span<UInt8>, key: borrowing SecretBytes
    ) throws(PrivateKeyError) -> SecretBytes {
        try run(text, key: key, isEncrypting: true)
    }

    private func run(
        _ input: Span<UInt8>, key: borrowing SecretBytes, isEncrypting: Bool
    ) throws(PrivateKeyError) -> SecretBytes {
        ERR_clear_error()
        guard let cipher = unsafe EVP_CIPHER_fetch(nil, name, nil)
        else { throw .libcrypto(LibcryptoError(draining: "EVP_CIPHER_fetch")) }
        defer { unsafe EVP_CIPHER_free(cipher) }
        guard let context = unsafe EVP_CIPHER_CTX_new()
        else { throw .libcrypto(LibcryptoError(draining: "EVP_CIPHER_CTX_new")) }
        defer { unsafe EVP_CIPHER_CTX_free(context) }

        let started = key.withSpan { key in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe EVP_CipherInit_ex2(
                    context, cipher, key.baseAddress, initialVector, isEncrypting ? 1 : 0, nil)
            }
        }
        guard started == 1
        else { throw .libcrypto(LibcryptoError(draining: "EVP_CipherInit_ex2")) }

        var output = try SecretBytes.allocated(input.count + Self.blockByteCount)
        var first: Int32 = 0
        var last: Int32 = 0
        let (updated, finished) = output.withMutableSpan { output in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe input.withUnsafeBufferPointer { input in
                    guard let start = output.baseAddress,
                        unsafe EVP_CipherUpdate(
                            context, start, &first, input.baseAddress, Int32(input.count)) == 1
                    else { return (false, false) }
                    let rest = unsafe start + Int(first)
                    return (true, unsafe EVP_CipherFinal_ex(context, rest, &last) == 1)
                }
            }
        }
        guard updated else { throw .libcrypto(LibcryptoError(draining: "EVP_CipherUpdate")) }
        guard finished else {
            let error = LibcryptoError(draining: "EVP_CipherFinal_ex")
            throw isEncrypting ? .libcrypto(error) : .wrongPassphrase
        }
        output.shrink(to: Int(first) + Int(last))
        return output
    }
}
