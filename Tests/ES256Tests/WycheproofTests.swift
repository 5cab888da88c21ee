import ES256
import Foundation
import JOSE
import Libcrypto
import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: PythonVectors.isInstalled, "needs the packages that scripts/test installs"))
struct WycheproofTests {
    private struct Vector {
        let group: [String: Any]
        let test: [String: Any]

        var isValid: Bool { test["result"] as? String == "valid" }
        var label: Comment { "\(test["tcId"] ?? "?"): \(test["comment"] ?? "")" }
    }

    private func vectors(_ name: String) throws -> [Vector] {
        let file = try #require(try PythonVectors.json(name))
        let groups = try #require(file["testGroups"] as? [[String: Any]])
        return groups.flatMap { group in
            (group["tests"] as? [[String: Any]] ?? []).map { Vector(group: group, test: $0) }
        }
    }

    private func text(_ value: Any?) throws -> String {
        try #require(value as? String)
    }

    @Test("raw signatures: ecdsa_secp256r1_sha256_p1363_test")
    func raw() throws {
        let all = try vectors("Signature/wycheproof/ecdsa_secp256r1_sha256_p1363_test.json")
        for vector in all {
            let key = try P256PublicKey(spki: bytes(hex: text(vector.group["publicKeyDer"])))
            let digest = SHA256.digest(bytes(hex: try text(vector.test["msg"])))
            let signature = bytes(hex: try text(vector.test["sig"]))
            let isValid = key.isValidSignature(signature, for: digest)
            #expect(isValid == vector.isValid, vector.label)
        }
        #expect(all.count == 262)
    }

    @Test("DER signatures: ecdsa_secp256r1_sha256_test, through the strict reader")
    func der() throws {
        let all = try vectors("Signature/wycheproof/ecdsa_secp256r1_sha256_test.json")
        for vector in all {
            let key = try P256PublicKey(spki: bytes(hex: text(vector.group["publicKeyDer"])))
            let digest = SHA256.digest(bytes(hex: try text(vector.test["msg"])))
            let der = bytes(hex: try text(vector.test["sig"]))
            let raw = ECDSASignature.rawFromDER(der)
            let isValid = raw.map { key.isValidSignature($0, for: digest) } ?? false
            #expect(isValid == vector.isValid, vector.label)
            if let raw { #expect(ECDSASignature.derFromRaw(raw) == der, vector.label) }
        }
        #expect(all.count == 484)
    }

    @Test(
        "public keys in DER: ecdh_secp256r1_test; what is valid and what we take differ only in form"
    )
    func publicKeys() throws {
        let all = try vectors("Protocol/wycheproof/ecdh_secp256r1_test.json")
        var accepted = 0
        for vector in all {
            let spki = bytes(hex: try text(vector.test["public"]))
            let flags = Set(vector.test["flags"] as? [String] ?? [])
            do {
                let key = try P256PublicKey(spki: spki)
                accepted += 1
                #expect(vector.isValid, vector.label)
                #expect(key.spki == spki, vector.label)
            } catch {
                // A valid key may come compressed; everything else that is refused is bad or
                // "acceptable": an unnamed curve, another encoding.
                let isCompressed = !flags.isDisjoint(with: ["CompressedPublic", "CompressedPoint"])
                #expect(!vector.isValid || isCompressed, vector.label)
                if vector.isValid { #expect(error == .compressedPoint, vector.label) }
                if flags.contains("UnnamedCurve") {
                    #expect(error == .explicitParameters, vector.label)
                }
            }
        }
        #expect(all.count == 612)
        #expect(accepted > 200)
    }

    @Test("public keys as JWK: ecdh_secp256r1_webcrypto_test")
    func jwks() throws {
        let all = try vectors("Protocol/wycheproof/ecdh_secp256r1_webcrypto_test.json")
        for vector in all {
            let jwk = try JSONSerialization.data(
                withJSONObject: try #require(vector.test["public"]))
            let element = try JSONDocument.parse(Array(jwk)).root
            let key = try? P256PublicKey(jwk: element)
            #expect((key != nil) == vector.isValid, vector.label)
        }
        #expect(all.count == 353)
    }

    @Test("bare points: ecdh_secp256r1_ecpoint_test")
    func points() throws {
        let all = try vectors("Protocol/wycheproof/ecdh_secp256r1_ecpoint_test.json")
        for vector in all {
            let point = bytes(hex: try text(vector.test["public"]))
            let key = try? P256PublicKey(uncompressedPoint: point)
            let isCompressed = point.first == 2 || point.first == 3
            #expect((key != nil) == (vector.isValid && !isCompressed), vector.label)
        }
        #expect(all.count == 355)
    }
}
