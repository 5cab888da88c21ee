import ES256
import TestSupport
import Testing

@Suite struct P256PublicKeyTests {
    static let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
        0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    private func refusal(_ spki: [UInt8]) -> PublicKeyError? {
        do {
            _ = try P256PublicKey(spki: spki)
            return nil
        } catch {
            return error
        }
    }

    /// What `openssl` writes for a fresh key of some kind.
    private func openssl(_ generate: [String], _ write: [String]) throws -> [UInt8] {
        let key = try Tool.output(["openssl"] + generate)
        return try Tool.output(["openssl"] + write, input: key)
    }

    @Test("91 bytes go in and come out")
    func roundTrip() throws {
        let spki = try openssl(
            ["ecparam", "-name", "prime256v1", "-genkey", "-noout"],
            ["ec", "-pubout", "-outform", "DER"])
        let key = try P256PublicKey(spki: spki)
        #expect(spki.count == 91)
        #expect(key.spki == spki)
        #expect(try P256PublicKey(base64SPKI: key.base64SPKI) == key)
        #expect(try P256PublicKey(uncompressedPoint: key.uncompressedPoint) == key)
    }

    @Test("other keys and other forms are each refused for what they are")
    func others() throws {
        let named = ["ecparam", "-name", "prime256v1", "-genkey", "-noout"]
        let out = ["ec", "-pubout", "-outform", "DER"]
        #expect(
            refusal(try openssl(named, out + ["-conv_form", "compressed"])) == .compressedPoint)
        #expect(refusal(try openssl(named, out + ["-conv_form", "hybrid"])) == .hybridPoint)
        #expect(
            refusal(try openssl(named, out + ["-param_enc", "explicit"])) == .explicitParameters)
        let p384 = ObjectIdentifier(contents: [0x2B, 0x81, 0x04, 0x00, 0x22])
        #expect(
            refusal(try openssl(["ecparam", "-name", "secp384r1", "-genkey", "-noout"], out))
                == .otherCurve(p384))
        let k256 = ObjectIdentifier(contents: [0x2B, 0x81, 0x04, 0x00, 0x0A])
        #expect(
            refusal(try openssl(["ecparam", "-name", "secp256k1", "-genkey", "-noout"], out))
                == .otherCurve(k256))
        let pkey = ["pkey", "-pubout", "-outform", "DER"]
        let rsa = ObjectIdentifier(
            contents: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])
        #expect(
            refusal(
                try openssl(["genpkey", "-quiet", "-algorithm", "RSA"], pkey))
                == .otherAlgorithm(rsa))
        let ed25519 = ObjectIdentifier(contents: [0x2B, 0x65, 0x70])
        #expect(
            refusal(try openssl(["genpkey", "-algorithm", "ED25519"], pkey))
                == .otherAlgorithm(ed25519))
    }

    @Test("bytes after the key are refused with their number", arguments: [1, 2, 100])
    func trailing(count: Int) throws {
        let spki = try TestKey().publicKey.spki
        #expect(refusal(spki + [UInt8](repeating: 0, count: count)) == .trailingBytes(count: count))
        #expect(refusal(spki) == nil)
    }

    @Test("every shorter text is malformed")
    func truncated() throws {
        let spki = try TestKey().publicKey.spki
        for count in 0..<spki.count {
            #expect(refusal(Array(spki[..<count])) == .malformed)
        }
    }

    @Test("no other byte passes in any place before the point")
    func everyPrefixByte() throws {
        let spki = try TestKey().publicKey.spki
        for index in Self.prefix.indices {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var changed = spki
                changed[index] ^= change
                #expect(refusal(changed) != nil)
            }
        }
    }

    @Test(
        "a structure of another form is refused",
        arguments: [
            ("unused bits", [0x03, 0x42, 0x01], true, []),
            ("an empty bit string", [0x03, 0x00], false, []),
            ("no point", [0x03, 0x01, 0x00], false, []),
            ("an octet string", [0x04, 0x41], true, []),
            ("a field more", [0x03, 0x42, 0x00], true, [0x05, 0x00]),
        ] as [(String, [UInt8], Bool, [UInt8])])
    func otherStructures(
        what: String, before: [UInt8], hasPoint: Bool, after: [UInt8]
    ) throws {
        let point = try TestKey().publicKey.uncompressedPoint
        let algorithm = Array(Self.prefix[2..<23])
        let contents = algorithm + before + (hasPoint ? point : []) + after
        #expect(refusal([0x30, UInt8(contents.count)] + contents) != nil, "\(what)")
        let good = algorithm + [0x03, 0x42, 0x00] + point
        #expect(refusal([0x30, UInt8(good.count)] + good) == nil)
    }

    @Test("a length in a longer form is malformed, though OpenSSL reads it")
    func longLength() throws {
        let spki = try TestKey().publicKey.spki
        #expect(refusal([0x30, 0x81] + spki[1...]) == .malformed)
    }

    @Test("a point off the curve, beyond the prime or at infinity is refused")
    func badPoints() throws {
        let spki = try TestKey().publicKey.spki
        var off = spki
        off[90] ^= 1
        #expect(refusal(off) == .notOnCurve)
        // X of one more than the prime's value: 1 is no other way of writing itself.
        let beyond: [UInt8] =
            [
                0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            ] + [UInt8](repeating: 0xFF, count: 12)
        #expect(refusal(Array(spki[..<27]) + beyond + spki[59...]) == .notOnCurve)
        #expect(refusal(Self.prefix + [4] + [UInt8](repeating: 0, count: 64)) == .notOnCurve)
        #expect(throws: PublicKeyError.badPoint) { _ = try P256PublicKey(uncompressedPoint: [0]) }
        #expect(throws: PublicKeyError.badPoint) { _ = try P256PublicKey(uncompressedPoint: []) }
    }

    @Test(
        "a pin that is not the one base64 text is refused",
        arguments: ["\n", " ", "=", "A"])
    func notBase64(suffix: String) throws {
        let pin = try TestKey().publicKey.base64SPKI
        #expect(throws: PublicKeyError.notBase64) {
            _ = try P256PublicKey(base64SPKI: pin + suffix)
        }
        let urlText = pin.replacing("+", with: "-").replacing("/", with: "_") + "----"
        #expect(throws: PublicKeyError.notBase64) { _ = try P256PublicKey(base64SPKI: urlText) }
    }
}
