import ES256
import JOSE
import LibcryptoSigning
import SecretMemory
import TestSupport
import Testing

/// Structures that no tool writes, around keys made up here.
@Suite struct PrivateKeyDERTests {
    private func der(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let all = contents.flatMap { $0 }
        guard all.count >= 0x80 else { return [tag, UInt8(all.count)] + all }
        return [tag, 0x81, UInt8(all.count)] + all
    }

    private func refusal(_ label: String, _ der: [UInt8]) -> PrivateKeyError? {
        let text =
            "-----BEGIN \(label)-----\n\(Base64.encodedString(der))\n-----END \(label)-----\n"
        do throws(PrivateKeyError) {
            guard let secret = try? SecretBytes.of(text) else { return .outOfSecretMemory }
            _ = try P256PrivateKey.load(pem: secret) { () throws(PrivateKeyError) in nil }
            return nil
        } catch {
            return error
        }
    }

    private let p256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    private let p384: [UInt8] = [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    private let ecPublicKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]

    private func sec1(
        version: [UInt8] = [2, 1, 1], scalar: [UInt8] = P256.one, parameters: [UInt8]? = nil,
        point: [UInt8]? = nil, rest: [UInt8] = []
    ) -> [UInt8] {
        der(
            0x30, version, der(0x04, scalar), parameters.map { der(0xA0, $0) } ?? [],
            point.map { der(0xA1, der(0x03, [0], $0)) } ?? [], rest)
    }

    private func pkcs8(
        version: [UInt8] = [2, 1, 0], algorithm: [UInt8]? = nil, key: [UInt8]? = nil,
        rest: [UInt8] = []
    ) -> [UInt8] {
        der(
            0x30, version, der(0x30, algorithm ?? ecPublicKey + p256), der(0x04, key ?? sec1()),
            rest)
    }

    private func refusal(sec1 key: [UInt8]) -> PrivateKeyError? { refusal("EC PRIVATE KEY", key) }
    private func refusal(pkcs8 key: [UInt8]) -> PrivateKeyError? { refusal("PRIVATE KEY", key) }

    @Test("the made-up structures that are right load")
    func right() {
        #expect(refusal(sec1: sec1(parameters: p256)) == nil)
        #expect(refusal(sec1: sec1(parameters: p256, point: [4] + P256.base)) == nil)
        #expect(refusal(pkcs8: pkcs8()) == nil)
        #expect(refusal(pkcs8: pkcs8(key: sec1(parameters: p256))) == nil)
    }

    @Test("a public half that is another key's is refused, in every place where one may stand")
    func otherHalf() {
        let other = [4] + P256.negatedBase
        #expect(refusal(sec1: sec1(parameters: p256, point: other)) == .publicHalfMismatch)
        #expect(refusal(pkcs8: pkcs8(key: sec1(point: other))) == .publicHalfMismatch)
        // RFC 5958: version 1 has a second place, [1] IMPLICIT BIT STRING.
        let own = [4] + P256.base
        #expect(refusal(pkcs8: pkcs8(version: [2, 1, 1], rest: der(0x81, [0], own))) == nil)
        #expect(
            refusal(pkcs8: pkcs8(version: [2, 1, 1], rest: der(0x81, [0], other)))
                == .publicHalfMismatch)
        #expect(refusal(pkcs8: pkcs8(rest: der(0x81, [0], own))) == .malformed)
    }

    @Test("a public half that is no uncompressed point is refused")
    func badHalf() {
        let x = Array(P256.base[..<32])
        #expect(refusal(sec1: sec1(parameters: p256, point: [2] + x)) == .compressedPoint)
        #expect(refusal(sec1: sec1(parameters: p256, point: [3] + x)) == .compressedPoint)
        #expect(refusal(sec1: sec1(parameters: p256, point: [6] + P256.base)) == .hybridPoint)
        #expect(refusal(sec1: sec1(parameters: p256, point: [7] + P256.base)) == .hybridPoint)
        #expect(refusal(sec1: sec1(parameters: p256, point: [0])) == .badPoint)
        #expect(refusal(sec1: sec1(parameters: p256, point: [])) == .badPoint)
        #expect(refusal(sec1: sec1(parameters: p256, point: [4] + x)) == .badPoint)
        #expect(
            refusal(sec1: sec1(parameters: p256, point: [5] + P256.base)) == .badPoint)
    }

    @Test(
        "private values at the ends of their range",
        arguments: [
            (P256.one, nil), (P256.orderLessOne, nil), (P256.zero, .scalarOutOfRange),
            (P256.order, .scalarOutOfRange), (P256.orderAndOne, .scalarOutOfRange),
            ([1], .scalarLength(1)), ([], .scalarLength(0)),
            ([0] + P256.one, .scalarLength(33)), (Array(P256.one.dropFirst()), .scalarLength(31)),
        ] as [([UInt8], PrivateKeyError?)])
    func scalars(scalar: [UInt8], error: PrivateKeyError?) {
        #expect(refusal(sec1: sec1(scalar: scalar, parameters: p256)) == error)
        #expect(refusal(pkcs8: pkcs8(key: sec1(scalar: scalar))) == error)
    }

    @Test("a key that does not say its curve is refused, as is one that says two")
    func curves() {
        #expect(refusal(sec1: sec1()) == .noCurve)
        let curve = ObjectIdentifier(contents: Array(p384.dropFirst(2)))
        #expect(refusal(sec1: sec1(parameters: p384)) == .otherCurve(curve))
        #expect(refusal(pkcs8: pkcs8(key: sec1(parameters: p384))) == .otherCurve(curve))
        #expect(refusal(pkcs8: pkcs8(algorithm: ecPublicKey)) != nil)
        #expect(
            refusal(sec1: sec1(parameters: der(0x30, [2, 1, 1]))) == .explicitParameters)
        #expect(
            refusal(pkcs8: pkcs8(algorithm: ecPublicKey + der(0x30, [2, 1, 1])))
                == .explicitParameters)
        #expect(refusal(sec1: sec1(parameters: [5, 0])) == .malformed)
        #expect(refusal(sec1: sec1(parameters: p256 + [5, 0])) == .trailingData)
    }

    @Test("bytes after a structure are refused")
    func trailing() {
        #expect(refusal(sec1: sec1(parameters: p256) + [0]) == .trailingData)
        #expect(refusal(pkcs8: pkcs8() + [0]) == .trailingData)
        #expect(refusal(pkcs8: pkcs8(key: sec1() + [0])) == .trailingData)
        #expect(refusal(sec1: sec1(parameters: p256, rest: [5, 0])) == .malformed)
        #expect(refusal(pkcs8: pkcs8(rest: [5, 0])) == .malformed)
    }

    @Test("attributes of PKCS#8 are passed over")
    func attributes() {
        #expect(refusal(pkcs8: pkcs8(rest: der(0xA0, [0x30, 0]))) == nil)
        #expect(refusal(pkcs8: pkcs8(rest: [0xA0, 5])) == .malformed)
    }

    @Test("other versions are refused")
    func versions() {
        #expect(refusal(sec1: sec1(version: [2, 1, 0], parameters: p256)) == .malformed)
        #expect(refusal(sec1: sec1(version: [2, 1, 2], parameters: p256)) == .malformed)
        #expect(refusal(sec1: sec1(version: [2, 2, 0, 1], parameters: p256)) == .malformed)
        #expect(refusal(pkcs8: pkcs8(version: [2, 1, 2])) == .malformed)
        #expect(refusal(pkcs8: pkcs8(version: [2, 0])) == .malformed)
    }

    @Test("every prefix is refused")
    func prefixes() {
        let key = pkcs8(key: sec1(parameters: p256, point: [4] + P256.base))
        #expect(refusal(pkcs8: key) == nil)
        for count in 0..<key.count {
            #expect(refusal(pkcs8: Array(key[..<count])) == .malformed)
        }
    }
}
