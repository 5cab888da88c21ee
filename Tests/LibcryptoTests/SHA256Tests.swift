import Libcrypto
import Testing

@Suite struct SHA256Tests {
    @Test(
        "the vectors of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func vectors(text: String, hex: String) {
        #expect(SHA256.digest(Array(text.utf8)).hex == hex)
    }

    @Test("pieces give the digest of the whole, and a hasher starts anew")
    func pieces() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let whole = SHA256.digest(message)
        var hasher = SHA256Hasher()
        for split in 0...message.count {
            hasher.update(Array(message[..<split]))
            hasher.update(Array(message[split...]))
            #expect(hasher.finish() == whole)
        }
        #expect(hasher.finish() == SHA256.digest([]))
    }

    @Test("a digest goes through bytes and lower-case digits")
    func forms() throws {
        let digest = SHA256.digest(Array("abc".utf8))
        #expect(digest.bytes.count == 32)
        #expect(SHA256Digest(bytes: digest.bytes) == digest)
        #expect(SHA256Digest(hex: digest.hex) == digest)
        #expect("\(digest)" == digest.hex)
    }

    @Test(
        "other texts are no digest",
        arguments: [
            "", "ba7816bf", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
            String(repeating: "A", count: 64), String(repeating: "g", count: 64),
            String(repeating: "é", count: 32), " " + String(repeating: "0", count: 63),
            "+" + String(repeating: "0", count: 63),
        ])
    func badHex(text: String) {
        #expect(SHA256Digest(hex: text) == nil)
        #expect(SHA256Digest(hex: String(repeating: "0", count: 64)) != nil)
    }

    @Test("other counts of bytes are no digest", arguments: [0, 31, 33, 64])
    func badCount(count: Int) {
        #expect(SHA256Digest(bytes: [UInt8](repeating: 0, count: count)) == nil)
    }
}
