import ES256
import LibcryptoSigning
import SecretMemory
import TestSupport
import Testing

@Suite struct PrivateKeyPEMTests {
    private func load(_ text: [UInt8]) throws(PrivateKeyError) -> P256PrivateKey {
        let secret: SecretBytes
        do {
            secret = try SecretBytes(copying: text.span)
        } catch {
            throw .outOfSecretMemory
        }
        return try P256PrivateKey.load(pem: secret) { () throws(PrivateKeyError) in nil }
    }

    private func refusal(_ text: [UInt8]) -> PrivateKeyError? {
        do {
            _ = try load(text)
            return nil
        } catch {
            return error
        }
    }

    private func openssl(_ arguments: String..., input: [UInt8] = []) throws -> [UInt8] {
        try Tool.output(["openssl"] + arguments, input: input)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static let commands: [[String]] = [
        ["ecparam", "-name", "prime256v1", "-genkey"],
        ["ecparam", "-name", "prime256v1", "-genkey", "-noout"],
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        [
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-pkeyopt",
            "ec_param_enc:named_curve",
        ],
    ]

    @Test(
        "keys of OpenSSL load with OpenSSL's public half, with LF and with CRLF",
        arguments: commands)
    func forms(command: [String]) throws {
        let pem = try Tool.output(["openssl"] + command)
        let spki = try openssl("pkey", "-pubout", "-outform", "DER", input: pem)
        #expect(try load(pem).publicKey.spki == spki)
        let windows = text(pem).replacing("\n", with: "\r\n")
        #expect(try load(Array(windows.utf8)).publicKey.spki == spki)
        #expect(try load(Array(text(pem).dropLast().utf8)).publicKey.spki == spki)
        #expect(try load(Array("\n \n\(text(pem))\n\n".utf8)).publicKey.spki == spki)
    }

    @Test("keys without their public half load")
    func withoutPublicHalf() throws {
        let pem = try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        let bare = try openssl("ec", "-no_public", input: pem)
        #expect(bare.count < pem.count)
        #expect(try load(bare).publicKey == load(pem).publicKey)
        let pkcs8 = try openssl("pkcs8", "-topk8", "-nocrypt", input: bare)
        #expect(try load(pkcs8).publicKey == load(pem).publicKey)
    }

    @Test("what we write, we and OpenSSL read, as the very bytes that OpenSSL writes")
    func written() throws {
        let key = try P256PrivateKey.generate()
        let pem = try key.pkcs8PEM().copied()
        #expect(try load(pem).publicKey == key.publicKey)
        #expect(try openssl("pkey", input: pem) == pem)
        #expect(
            try openssl("pkey", "-pubout", "-outform", "DER", input: pem) == key.publicKey.spki)
    }

    @Test(
        "other curves and algorithms are refused by name",
        arguments: [
            (["ecparam", "-name", "secp384r1", "-genkey"], "1.3.132.0.34", true),
            (["ecparam", "-name", "secp384r1", "-genkey", "-noout"], "1.3.132.0.34", true),
            (["ecparam", "-name", "secp256k1", "-genkey", "-noout"], "1.3.132.0.10", true),
            (
                ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"],
                "1.3.132.0.35", true
            ),
            (["genpkey", "-quiet", "-algorithm", "RSA"], "1.2.840.113549.1.1.1", false),
            (["genpkey", "-quiet", "-algorithm", "RSA-PSS"], "1.2.840.113549.1.1.10", false),
            (["genpkey", "-algorithm", "ED25519"], "1.3.101.112", false),
            (["genpkey", "-algorithm", "X25519"], "1.3.101.110", false),
        ])
    func others(command: [String], identifier: String, isCurve: Bool) throws {
        let error = refusal(try Tool.output(["openssl"] + command))
        switch error {
        case .otherCurve(let found):
            #expect(isCurve)
            #expect(found.dotted == identifier)
        case .otherAlgorithm(let found):
            #expect(!isCurve)
            #expect(found.dotted == identifier)
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test("explicit parameters are refused wherever they stand")
    func explicitParameters() throws {
        let explicit = try openssl(
            "ecparam", "-name", "prime256v1", "-genkey", "-param_enc", "explicit")
        #expect(refusal(explicit) == .explicitParameters)
        let bare = try openssl(
            "ecparam", "-name", "prime256v1", "-genkey", "-param_enc", "explicit", "-noout")
        #expect(refusal(bare) == .explicitParameters)
        let pkcs8 = try openssl("pkcs8", "-topk8", "-nocrypt", input: bare)
        #expect(refusal(pkcs8) == .explicitParameters)
    }

    @Test("compressed and hybrid public halves are refused")
    func pointForms() throws {
        let pem = try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        #expect(
            refusal(try openssl("ec", "-conv_form", "compressed", input: pem)) == .compressedPoint)
        #expect(refusal(try openssl("ec", "-conv_form", "hybrid", input: pem)) == .hybridPoint)
        #expect(refusal(try openssl("ec", "-conv_form", "uncompressed", input: pem)) == nil)
    }

    @Test("what is no private key is refused for what it is")
    func otherBlocks() throws {
        let pem = try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        #expect(refusal(try openssl("pkey", "-pubout", input: pem)) == .publicKey)
        let folder = try TestFolder()
        try folder.write("key.pem", pem)
        let certificate = try openssl(
            "req", "-x509", "-key", "\(folder.file("key.pem"))", "-subj", "/CN=test")
        #expect(refusal(certificate) == .certificate)
        let request = try openssl(
            "req", "-new", "-key", "\(folder.file("key.pem"))", "-subj", "/CN=test")
        #expect(refusal(request) == .otherBlock(.certificateRequest))
        let rsa = try openssl("genrsa", "-traditional", "2048")
        #expect(refusal(rsa) == .otherBlock(.rsaPrivateKey))
        #expect(
            refusal(Array("-----BEGIN THING-----\nAAAA\n-----END THING-----\n".utf8))
                == .otherBlock(.unknown))
        #expect(refusal(try openssl("ecparam", "-name", "prime256v1")) == .notPEM)
        #expect(refusal(try openssl("pkey", "-outform", "DER", input: pem)) == .binary)
        #expect(refusal(try openssl("ec", "-outform", "DER", input: pem)) == .binary)
    }

    @Test("a second key, whatever its form, is refused")
    func secondKey() throws {
        let first = try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        let second = try openssl("ecparam", "-name", "prime256v1", "-genkey")
        #expect(refusal(first + first) == .secondKey)
        #expect(refusal(first + second) == .secondKey)
        #expect(refusal(second + first) == .secondKey)
        let pkcs8 = try openssl("pkcs8", "-topk8", "-nocrypt", input: first)
        #expect(refusal(pkcs8 + first) == .secondKey)
        let rsa = try openssl("genpkey", "-quiet", "-algorithm", "RSA")
        #expect(refusal(first + rsa) == .secondKey)
    }

    @Test("anything after the key is refused")
    func trailing() throws {
        let pem = try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        #expect(refusal(pem + Array("x".utf8)) == .trailingData)
        #expect(refusal(pem + Array("\n\n# the key\n".utf8)) == .trailingData)
        #expect(refusal(pem + (try openssl("pkey", "-pubout", input: pem))) == .trailingData)
        #expect(refusal(pem + [0]) == .trailingData)
        #expect(refusal(pem + Array("\n\t \r\n".utf8)) == nil)
    }

    @Test("anything before the key is refused with its line")
    func leading() throws {
        let pem = try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        #expect(refusal(Array("Bag Attributes\n".utf8) + pem) == .textBeforeKey(line: 1))
        #expect(refusal(Array("\n\nkey:\n".utf8) + pem) == .textBeforeKey(line: 3))
        #expect(refusal([0xEF, 0xBB, 0xBF] + pem) != nil)
    }

    @Test("a key encrypted the old way is refused")
    func legacy() throws {
        let pem = try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        let encrypted = try openssl("ec", "-aes256", "-passout", "pass:secret", input: pem)
        #expect(text(encrypted).contains("Proc-Type"))
        #expect(refusal(encrypted) == .legacyEncryption)
    }

    @Test(
        "empty, truncated and damaged texts are refused",
        arguments: [
            ("", PrivateKeyError.notPEM), ("\n", .notPEM), ("key", .notPEM),
            ("-----BEGIN PRIVATE KEY-----", .malformedPEM(line: 1)),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n", .malformedPEM(line: 2)),
            (
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n",
                .malformedPEM(line: 3)
            ),
            (
                "-----BEGIN PRIVATE KEY-----\nAA*A\n-----END PRIVATE KEY-----\n",
                .malformedPEM(line: 2)
            ),
            (
                "-----BEGIN PRIVATE KEY-----\nAAAA\nAAA\n-----END PRIVATE KEY-----\n",
                .malformedPEM(line: 4)
            ),
            (
                "-----BEGIN PRIVATE KEY-----\nAB==\n-----END PRIVATE KEY-----\n",
                .malformedPEM(line: 3)
            ),
            (
                "-----BEGIN PRIVATE KEY-----\nAA==\nAAAA\n-----END PRIVATE KEY-----\n",
                .malformedPEM(line: 3)
            ),
            (
                "-----BEGIN PRIVATE KEY-----\n AAAA\n-----END PRIVATE KEY-----\n",
                .malformedPEM(line: 2)
            ),
            (
                "-----BEGIN PRIVATE KEY-----\nAA\rAA\n-----END PRIVATE KEY-----\n",
                .malformedPEM(line: 2)
            ),
            (
                "-----BEGIN PRIVATE KEY-----\nComment: x\n\nAAAA\n-----END PRIVATE KEY-----\n",
                .malformedPEM(line: 2)
            ),
            ("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", .malformed),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", .malformed),
            ("----BEGIN PRIVATE KEY----\nAAAA\n----END PRIVATE KEY----\n", .notPEM),
        ])
    func damaged(text: String, error: PrivateKeyError) {
        #expect(refusal(Array(text.utf8)) == error)
    }
}
