import ES256
import JOSE
import LibcryptoSigning
import SecretMemory
import TestSupport
import Testing

@Suite struct EncryptedKeyTests {
    private func load(
        _ text: [UInt8], passphrase: String? = "correct horse"
    ) throws -> P256PrivateKey {
        try P256PrivateKey.load(pem: try .of(text)) { () throws(PrivateKeyError) in
            guard let passphrase else { return nil }
            return try? SecretBytes.of(passphrase)
        }
    }

    /// A key, and the same key encrypted by `openssl pkcs8 -topk8`.
    private func encrypted(
        _ options: [String], passphrase: String = "correct horse"
    ) throws -> (plain: [UInt8], encrypted: [UInt8]) {
        let plain = try Tool.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        let text = try Tool.output(
            ["openssl", "pkcs8", "-topk8", "-passout", "pass:\(passphrase)"] + options,
            input: plain)
        return (plain, text)
    }

    static let schemes: [[String]] = [
        [], ["-v2", "aes-128-cbc"], ["-v2", "aes-192-cbc"], ["-v2", "aes-256-cbc"],
        ["-v2prf", "hmacWithSHA1"], ["-v2prf", "hmacWithSHA224"], ["-v2prf", "hmacWithSHA384"],
        ["-v2prf", "hmacWithSHA512"], ["-iter", "1"], ["-iter", "100000"], ["-scrypt"],
        ["-scrypt", "-scrypt_N", "2", "-scrypt_r", "1", "-scrypt_p", "1"],
    ]

    @Test("keys that OpenSSL encrypted load, with LF and with CRLF", arguments: schemes)
    func outsideKeys(options: [String]) throws {
        let (plain, text) = try encrypted(options)
        let expected = try load(plain).publicKey
        #expect(try load(text).publicKey == expected)
        let windows = String(decoding: text, as: UTF8.self).replacing("\n", with: "\r\n")
        #expect(try load(Array(windows.utf8)).publicKey == expected)
    }

    @Test("another passphrase is told from a missing one")
    func passphrases() throws {
        let (_, text) = try encrypted([])
        for wrong in ["correct horsE", "correct horse ", "", "correct horse\n"] {
            #expect(throws: PrivateKeyError.wrongPassphrase) {
                _ = try load(text, passphrase: wrong)
            }
        }
        #expect(throws: PrivateKeyError.passphraseNeeded) { _ = try load(text, passphrase: nil) }
        _ = try load(text)
    }

    @Test("no wrong passphrase of 1,000 gives anything but that answer")
    func manyWrong() throws {
        // One decryption in 256 has a padding by chance, and then its bytes are no key.
        let (_, text) = try encrypted(["-iter", "1"])
        for number in 0..<1000 {
            #expect(throws: PrivateKeyError.wrongPassphrase) {
                _ = try load(text, passphrase: "\(number)")
            }
        }
    }

    @Test("a passphrase is asked for only when a key needs one")
    func notAsked() throws {
        let (plain, _) = try encrypted([])
        var asked = false
        _ = try P256PrivateKey.load(pem: try .of(plain)) { () throws(PrivateKeyError) in
            asked = true
            return nil
        }
        #expect(!asked)
    }

    @Test("a passphrase is bytes, whatever they mean")
    func anyBytes() throws {
        let (plain, text) = try encrypted([], passphrase: "päss wörd €")
        #expect(try load(text, passphrase: "päss wörd €").publicKey == load(plain).publicKey)
    }

    @Test(
        "other schemes are refused by name",
        arguments: [
            (["-v1", "PBE-SHA1-3DES"], "1.2.840.113549.1.12.1.3"),
            (["-v1", "PBE-MD5-DES"], "1.2.840.113549.1.5.3"),
            (["-v2", "des3"], "1.2.840.113549.3.7"),
            (["-v2", "camellia-256-cbc"], "1.2.392.200011.61.1.1.1.4"),
        ])
    func otherSchemes(options: [String], identifier: String) throws {
        let providers = ["-provider", "default", "-provider", "legacy"]
        let (_, text) = try encrypted(options + providers)
        do {
            _ = try load(text)
            Issue.record("accepted")
        } catch PrivateKeyError.unsupportedEncryption(let found) {
            #expect(found.dotted == identifier)
        }
    }

    static let pbes2: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D,
    ]
    static let pbkdf2: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C,
    ]
    static let scrypt: [UInt8] = [
        0x06, 0x09, 0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B,
    ]
    static let aes256: [UInt8] = [
        0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2A,
    ]

    private func der(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let all = contents.flatMap { $0 }
        return [tag] + (all.count < 0x80 ? [] : [0x81]) + [UInt8(all.count)] + all
    }

    /// The refusal of a key of 16 bytes of ciphertext under a derivation with these parameters.
    private func refusal(_ derivation: [UInt8], _ parameters: [UInt8]...) -> PrivateKeyError? {
        let salt = der(0x04, [UInt8](repeating: 1, count: 8))
        let kdf = der(0x30, derivation, der(0x30, salt, parameters.flatMap { $0 }))
        let cipher = der(0x30, Self.aes256, der(0x04, [UInt8](repeating: 0, count: 16)))
        let info = der(
            0x30, der(0x30, Self.pbes2, der(0x30, kdf, cipher)),
            der(0x04, [UInt8](repeating: 0, count: 16)))
        let label = "ENCRYPTED PRIVATE KEY"
        let body = Base64.encodedString(info)
        do {
            _ = try load(Array("-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n".utf8))
            return nil
        } catch {
            return error as? PrivateKeyError
        }
    }

    @Test(
        "rounds of PBKDF2: what takes minutes is refused before it begins",
        arguments: [
            ([0x02, 0x01, 0x01], .wrongPassphrase),
            ([0x02, 0x03, 0x01, 0x00, 0x00], .wrongPassphrase),
            ([0x02, 0x04, 0x01, 0x31, 0x2D, 0x01], .costlyEncryption),
            ([0x02, 0x04, 0x7F, 0xFF, 0xFF, 0xFF], .costlyEncryption),
            ([0x02, 0x05, 0x01, 0x00, 0x00, 0x00, 0x00], .costlyEncryption),
            ([0x02, 0x01, 0x00], .malformed), ([0x02, 0x01, 0x80], .malformed),
            ([0x02, 0x02, 0x00, 0x01], .malformed), ([0x02, 0x00], .malformed),
        ] as [([UInt8], PrivateKeyError)])
    func rounds(count: [UInt8], error: PrivateKeyError) {
        #expect(refusal(Self.pbkdf2, count) == error)
    }

    @Test(
        "N, r and p of scrypt: what takes gigabytes is refused before it begins",
        arguments: [
            ([2, 1, 2, 2, 1, 1, 2, 1, 1], .wrongPassphrase),
            ([2, 3, 0x20, 0, 0, 2, 1, 8, 2, 1, 1], .costlyEncryption),
            ([2, 1, 2, 2, 1, 1, 2, 1, 16], .wrongPassphrase),
            ([2, 1, 2, 2, 1, 1, 2, 1, 17], .costlyEncryption),
            ([2, 4, 0x40, 0, 0, 0, 2, 4, 0x40, 0, 0, 0, 2, 1, 1], .costlyEncryption),
            ([2, 1, 3, 2, 1, 1, 2, 1, 1], .malformed), ([2, 1, 1, 2, 1, 1, 2, 1, 1], .malformed),
            ([2, 1, 2, 2, 1, 0, 2, 1, 1], .malformed), ([2, 1, 2, 2, 1, 1, 2, 1, 0], .malformed),
            ([2, 1, 2, 2, 1, 1], .malformed),
        ] as [([UInt8], PrivateKeyError)])
    func scryptCosts(parameters: [UInt8], error: PrivateKeyError) {
        #expect(refusal(Self.scrypt, parameters) == error)
    }

    @Test("a key length of the derivation is the cipher's or the key is malformed")
    func keyLength() {
        #expect(refusal(Self.pbkdf2, [2, 1, 1, 2, 1, 32]) == .wrongPassphrase)
        #expect(refusal(Self.pbkdf2, [2, 1, 1, 2, 1, 16]) == .malformed)
        #expect(refusal(Self.scrypt, [2, 1, 2, 2, 1, 1, 2, 1, 1, 2, 1, 32]) == .wrongPassphrase)
        #expect(refusal(Self.scrypt, [2, 1, 2, 2, 1, 1, 2, 1, 1, 2, 1, 33]) == .malformed)
    }

    @Test("what we encrypt, we and OpenSSL decrypt, with AES-256 and 600,000 rounds of PBKDF2")
    func written() throws {
        let key = try P256PrivateKey.generate()
        let text = try key.encryptedPKCS8PEM(passphrase: try .of("correct horse")).copied()
        #expect(try load(text).publicKey == key.publicKey)
        let plain = try Tool.openssl("pkey", "-passin", "pass:correct horse", input: text)
        #expect(plain == (try key.pkcs8PEM().copied()))
        let shown = String(
            decoding: try Tool.openssl("asn1parse", "-i", input: text), as: UTF8.self)
        #expect(shown.contains("PBES2"))
        #expect(shown.contains("aes-256-cbc"))
        #expect(shown.contains("hmacWithSHA256"))
        #expect(shown.contains("INTEGER           :0927C0"))
        #expect(P256PrivateKey.writtenIterations == 0x0927C0)
    }

    @Test("two files of one key and passphrase have nothing in common")
    func salted() throws {
        let key = try P256PrivateKey.generate()
        let first = try key.encryptedPKCS8PEM(passphrase: try .of("p"), iterations: 1).copied()
        let second = try key.encryptedPKCS8PEM(passphrase: try .of("p"), iterations: 1).copied()
        #expect(first != second)
    }

    @Test("an empty passphrase encrypts nothing")
    func emptyPassphrase() throws {
        let key = try P256PrivateKey.generate()
        #expect(throws: PrivateKeyError.passphraseNeeded) {
            _ = try key.encryptedPKCS8PEM(passphrase: try SecretBytes(count: 0))
        }
    }
}
