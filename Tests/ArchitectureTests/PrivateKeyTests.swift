import Testing

/// A private key that was committed once is in every clone for ever.
@Suite("Private keys")
struct PrivateKeyTests {
    /// Signs of a private key: PEM with content, base64 of the first bytes of P-256 keys in
    /// PKCS#8 and SEC1, a JWK with its private value.
    private static let signs = [
        Pattern("PEM", needle: "PRIVATE KEY-----") {
            /-----BEGIN [A-Z ]*PRIVATE KEY-----\\?[rn\s"+]*(?:\\n)?"?[A-Za-z0-9+\/=:]{16}/
        },
        Pattern("PKCS#8", needle: "MBMGByqGSM49") {
            /MIG[H-T][A-Za-z0-9+\/]{2,6}MBMGByqGSM49[A-Za-z0-9+\/]{40}/
        },
        Pattern("SEC1", needle: "MHcCAQEEI") { /MHcCAQEEI[A-Za-z0-9+\/]{40}/ },
        Pattern("JWK", needle: "\"d\"") { /"d"\s*:\s*"[A-Za-z0-9_-]{40}/ },
    ]

    static func kinds(_ text: String) -> [String] {
        Pattern.names(signs, in: text)
    }

    /// DER of an EC private key: PKCS#8 or SEC1, with the OID of P-256 near its start.
    static func isPrivateDER(_ bytes: [UInt8]) -> Bool {
        guard bytes.count < 2_048, bytes.first == 0x30 else { return false }
        let head = bytes.prefix(48)
        let version = head.dropFirst(2).prefix(4)
        return version.starts(with: [0x02, 0x01, 0x00]) || version.starts(with: [0x02, 0x01, 0x01])
            || head.dropFirst(3).starts(with: [0x02, 0x01, 0x00])
    }

    @Test("None is committed, vectors of the tests excepted")
    func none() throws {
        for path in try Repository.here.files() {
            #expect(!path.hasPrefix("keys/"), "\(path)")
            #expect(!path.hasSuffix(".pem") || path.hasPrefix("Tests/"), "\(path)")
            guard !path.hasPrefix("Tests/") else { continue }
            let bytes = try Repository.here.bytes(path)
            #expect(!Self.isPrivateDER(bytes), "\(path)")
            let kinds = Self.kinds(String(decoding: bytes, as: UTF8.self))
            #expect(kinds.isEmpty, "\(path): \(kinds)")
        }
    }

    @Test("A private key in any of these forms is found")
    func found() {
        let content = String(repeating: "Ab3+", count: 16)
        let begin = "-----BEGIN "
        for text in [
            "\(begin)PRIVATE KEY-----\n\(content)\n", "\(begin)EC PRIVATE KEY-----\r\n\(content)",
            "\(begin)ENCRYPTED PRIVATE KEY-----\n\(content)",
            "\"\(begin)PRIVATE KEY-----\\n\(content)\"",
            "\"\(begin)PRIVATE KEY-----\\n\"\n + \"\(content)",
        ] {
            #expect(Self.kinds(text) == ["PEM"], "\(text)")
        }
        #expect(Self.kinds("MIGHAgEAMBMGByqGSM49\(content)") == ["PKCS#8"])
        #expect(Self.kinds("MHcCAQEEI\(content)") == ["SEC1"])
        #expect(Self.kinds("{\"d\": \"\(String(repeating: "a", count: 43))\"}") == ["JWK"])
        #expect(Self.isPrivateDER([0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30]))
        #expect(Self.isPrivateDER([0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20]))
    }

    @Test("Public keys and the words alone are not")
    func notFound() {
        let content = String(repeating: "Ab3+", count: 16)
        let begin = "-----BEGIN "
        for text in [
            "\(begin)PUBLIC KEY-----\n\(content)", "\"\(begin)PRIVATE KEY-----\"",
            "the line \(begin)EC PRIVATE KEY----- begins a file", "{\"d\": \"short\"}",
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\(content)",
        ] {
            #expect(Self.kinds(text).isEmpty, "\(text)")
        }
        #expect(!Self.isPrivateDER([0x30, 0x59, 0x30, 0x13, 0x06]))
        #expect(!Self.isPrivateDER(Array("plain text".utf8)))
    }
}
