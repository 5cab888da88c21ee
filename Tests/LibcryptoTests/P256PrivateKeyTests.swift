import ES256
import Libcrypto
import LibcryptoSigning
import SecretMemory
import TestSupport
import Testing

@Suite struct P256PrivateKeyTests {
    @Test(
        "private values from 1 to n−1 have the public halves that they give",
        arguments: [(P256.one, P256.base), (P256.orderLessOne, P256.negatedBase)])
    func range(scalar: [UInt8], point: [UInt8]) throws {
        let key = try P256PrivateKey(scalar: scalar.span)
        #expect(key.publicKey.uncompressedPoint == [4] + point)
    }

    @Test(
        "private values outside are refused",
        arguments: [
            P256.zero, P256.order, P256.orderAndOne, [UInt8](repeating: 0xFF, count: 32),
        ])
    func outOfRange(scalar: [UInt8]) {
        #expect(throws: PrivateKeyError.scalarOutOfRange) {
            _ = try P256PrivateKey(scalar: scalar.span)
        }
    }

    @Test("private values are 32 bytes", arguments: [0, 31, 33])
    func length(count: Int) {
        #expect(throws: PrivateKeyError.scalarLength(count)) {
            _ = try P256PrivateKey(scalar: [UInt8](repeating: 1, count: count).span)
        }
    }

    @Test("2,000 signatures are 64 bytes and valid, and halves with leading zeros occur")
    func signatures() throws {
        let key = try P256PrivateKey.generate()
        var signatures: [[UInt8]] = []
        var (shortR, shortS) = (0, 0)
        // One half in 256 starts with a zero; 20,000 rounds miss one in 10^34 runs.
        var round = 0
        while round < 2000 || (shortR == 0 || shortS == 0) && round < 20000 {
            let digest = SHA256.digest(Array("\(round)".utf8))
            let signature = try key.sign(digest)
            #expect(signature.count == 64)
            #expect(key.publicKey.isValidSignature(signature, for: digest))
            if signature[0] == 0 { shortR += 1 }
            if signature[32] == 0 { shortS += 1 }
            signatures.append(signature)
            round += 1
        }
        #expect(shortR > 0)
        #expect(shortS > 0)
        #expect(Set(signatures).count == signatures.count)
    }

    @Test("no two generated keys are alike")
    func generated() throws {
        let keys = try (0..<20).map { _ in try P256PrivateKey.generate().publicKey }
        #expect(Set(keys).count == keys.count)
    }

    @Test("private values are in the secure heap, and leave it with their key")
    func secureHeap() throws {
        // Other tests of this process make keys too, so many keys are looked at together.
        SecureHeap.prepare()
        let before = SecureHeap.usedByteCount
        var keys = try (0..<500).map { _ in try P256PrivateKey.generate() }
        let during = SecureHeap.usedByteCount
        #expect(during - before >= 400 * 32)
        #expect(keys.count == 500)
        keys.removeAll()
        #expect(SecureHeap.usedByteCount < during)
    }

    @Test("OpenSSL verifies what we sign")
    func outsideVerification() throws {
        let folder = try TestFolder()
        let key = try P256PrivateKey.generate()
        let message = Array("signing input".utf8)
        let signature = try key.sign(SHA256.digest(message))
        let der = try #require(ECDSASignature.derFromRaw(signature))
        let pem = try Tool.openssl(
            "pkey", "-pubin", "-inform", "DER", input: key.publicKey.spki)
        try folder.write("pub.pem", pem)
        try folder.write("sig", der)
        let verdict = try Tool.openssl(
            "dgst", "-sha256", "-verify", "\(folder.file("pub.pem"))", "-signature",
            "\(folder.file("sig"))", input: message)
        #expect(String(decoding: verdict, as: UTF8.self) == "Verified OK\n")
    }

    @Test("we verify what OpenSSL signs")
    func outsideSignature() throws {
        let folder = try TestFolder()
        let key = try P256PrivateKey.generate()
        try folder.write("key.pem", try key.pkcs8PEM().copied())
        let message = Array("signing input".utf8)
        for _ in 0..<20 {
            let der = try Tool.openssl(
                "dgst", "-sha256", "-sign", "\(folder.file("key.pem"))", input: message)
            let raw = try #require(ECDSASignature.rawFromDER(der))
            #expect(key.publicKey.isValidSignature(raw, for: SHA256.digest(message)))
        }
    }
}
