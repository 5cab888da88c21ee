import CLibcrypto
import ES256
import Libcrypto
import SecretMemory

/// How a passphrase becomes a key: PBKDF2 (RFC 8018, 5.2) or scrypt (RFC 7914).
enum KeyDerivation {
    case pbkdf2(salt: [UInt8], iterations: Int, hash: Hash)
    /// N, r and p as in RFC 7914, 2.
    case scrypt(salt: [UInt8], cost: Int, blockSize: Int, parallelism: Int)

    /// The pseudo-random functions of PBKDF2 that are HMACs, by the last arc of
    /// 1.2.840.113549.2 (RFC 8018, B.1.2).
    enum Hash: UInt8, CaseIterable {
        case sha1 = 7
        case sha224 = 8
        case sha256 = 9
        case sha384 = 10
        case sha512 = 11

        var identifier: ObjectIdentifier {
            ObjectIdentifier(contents: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, rawValue])
        }

        fileprivate var name: String {
            switch self {
            case .sha1: "SHA1"
            case .sha224: "SHA2-224"
            case .sha256: "SHA2-256"
            case .sha384: "SHA2-384"
            case .sha512: "SHA2-512"
            }
        }
    }

    /// About ten seconds of work.
    static let maximumIterations = 20_000_000
    static let maximumMemoryByteCount = 1 << 30
    static let maximumParallelism = 16

    /// - Parameter range: the contents of an `AlgorithmIdentifier`.
    init(
        _ range: Range<Int>, of text: Span<UInt8>, keyByteCount: Int
    ) throws(PrivateKeyError) {
        var fields = DERReader(range)
        guard let algorithm = fields.read(DERTag.objectIdentifier, in: text)
        else { throw .malformed }
        let identifier = ObjectIdentifier(algorithm, of: text)
        guard identifier == .pbkdf2 || identifier == .scrypt
        else { throw .unsupportedEncryption(identifier) }
        guard let parameters = fields.read(DERTag.sequence, in: text), fields.isAtEnd
        else { throw .malformed }
        var parts = DERReader(parameters)
        // Where the salt is a choice of its own (RFC 8018, A.2), no one uses the other one.
        guard let saltRange = parts.read(DERTag.octetString, in: text) else { throw .malformed }
        let salt = saltRange.map { text[$0] }
        if identifier == .pbkdf2 {
            let iterations = try Self.integer(&parts, of: text)
            try Self.checkKeyLength(&parts, of: text, keyByteCount)
            let hash = try Self.hash(&parts, of: text)
            guard parts.isAtEnd, iterations > 0 else { throw .malformed }
            guard iterations <= Self.maximumIterations else { throw .costlyEncryption }
            self = .pbkdf2(salt: salt, iterations: iterations, hash: hash)
        } else {
            let cost = try Self.integer(&parts, of: text)
            let blockSize = try Self.integer(&parts, of: text)
            let parallelism = try Self.integer(&parts, of: text)
            try Self.checkKeyLength(&parts, of: text, keyByteCount)
            guard parts.isAtEnd, cost > 1, cost & (cost - 1) == 0, blockSize > 0, parallelism > 0
            else { throw .malformed }
            let (memory, isTooMuch) = (128 * blockSize).multipliedReportingOverflow(by: cost)
            guard !isTooMuch, memory <= Self.maximumMemoryByteCount,
                parallelism <= Self.maximumParallelism
            else { throw .costlyEncryption }
            self = .scrypt(
                salt: salt, cost: cost, blockSize: blockSize, parallelism: parallelism)
        }
    }

    /// A minimal, not negative INTEGER of at most four bytes.
    private static func integer(
        _ fields: inout DERReader, of text: Span<UInt8>
    ) throws(PrivateKeyError) -> Int {
        guard let range = fields.read(DERTag.integer, in: text), let first = range.first,
            text[first] < 0x80
        else { throw .malformed }
        guard range.count == 1 || text[first] != 0 || text[first + 1] >= 0x80
        else { throw .malformed }
        guard range.count <= 4 else { throw .costlyEncryption }
        return range.reduce(0) { $0 << 8 | Int(text[$1]) }
    }

    /// The optional length of the key, which must be the cipher's.
    private static func checkKeyLength(
        _ fields: inout DERReader, of text: Span<UInt8>, _ byteCount: Int
    ) throws(PrivateKeyError) {
        guard fields.nextTag(in: text) == DERTag.integer else { return }
        guard try integer(&fields, of: text) == byteCount else { throw .malformed }
    }

    /// The optional pseudo-random function; HMAC-SHA-1 when it is absent (RFC 8018, A.2).
    private static func hash(
        _ fields: inout DERReader, of text: Span<UInt8>
    ) throws(PrivateKeyError) -> Hash {
        guard !fields.isAtEnd else { return .sha1 }
        guard let range = fields.read(DERTag.sequence, in: text) else { throw .malformed }
        var parts = DERReader(range)
        guard let algorithm = parts.read(DERTag.objectIdentifier, in: text)
        else { throw .malformed }
        let identifier = ObjectIdentifier(algorithm, of: text)
        guard let hash = Hash.allCases.first(where: { $0.identifier == identifier })
        else { throw .unsupportedEncryption(identifier) }
        if !parts.isAtEnd {
            guard let null = parts.read(DERTag.null, in: text), null.isEmpty, parts.isAtEnd
            else { throw .malformed }
        }
        return hash
    }

    func key(
        passphrase: borrowing SecretBytes, byteCount: Int
    ) throws(PrivateKeyError) -> SecretBytes {
        ERR_clear_error()
        var key = try SecretBytes.allocated(byteCount)
        let failed: String?
        switch self {
        case .pbkdf2(let salt, let iterations, let hash):
            guard let digest = unsafe EVP_MD_fetch(nil, hash.name, nil)
            else { throw .libcrypto(LibcryptoError(draining: "EVP_MD_fetch")) }
            defer { unsafe EVP_MD_free(digest) }
            let done = unsafe Self.fill(&key, from: passphrase) {
                characters, count, key, keyCount in
                unsafe PKCS5_PBKDF2_HMAC(
                    characters, Int32(count), salt, Int32(salt.count), Int32(iterations), digest,
                    Int32(keyCount), key)
            }
            failed = done == 1 ? nil : "PKCS5_PBKDF2_HMAC"
        case .scrypt(let salt, let cost, let blockSize, let parallelism):
            let done = unsafe Self.fill(&key, from: passphrase) {
                characters, count, key, keyCount in
                unsafe EVP_PBE_scrypt(
                    characters, count, salt, salt.count, UInt64(cost), UInt64(blockSize),
                    UInt64(parallelism), UInt64(2 * Self.maximumMemoryByteCount), key, keyCount)
            }
            failed = done == 1 ? nil : "EVP_PBE_scrypt"
        }
        if let failed { throw .libcrypto(LibcryptoError(draining: failed)) }
        return key
    }

    private static func fill(
        _ key: inout SecretBytes, from passphrase: borrowing SecretBytes,
        derive: (UnsafePointer<CChar>?, Int, UnsafeMutablePointer<UInt8>?, Int) -> Int32
    ) -> Int32 {
        passphrase.withSpan { passphrase in
            unsafe passphrase.withUnsafeBytes { passphrase in
                key.withMutableSpan { key in
                    unsafe key.withUnsafeMutableBufferPointer { key in
                        unsafe derive(
                            passphrase.assumingMemoryBound(to: CChar.self).baseAddress,
                            passphrase.count, key.baseAddress, key.count)
                    }
                }
            }
        }
    }
}
