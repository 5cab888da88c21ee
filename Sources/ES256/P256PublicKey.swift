import JOSE
package import Libcrypto

/// A public key on P-256, checked: named curve, uncompressed point, point on the curve.
///
/// Its identity is its point. Sharing it between threads is safe.
package struct P256PublicKey: Sendable {
    /// 04, then X and Y of 32 bytes each (SEC 1, 2.3.3).
    package let uncompressedPoint: [UInt8]
    private let key: ECPublicKey

    /// - Parameter uncompressedPoint: 65 bytes that start with 04.
    package init(uncompressedPoint: [UInt8]) throws(PublicKeyError) {
        switch uncompressedPoint.first {
        case 0x04 where uncompressedPoint.count == 65: break
        case 0x02 where uncompressedPoint.count == 33, 0x03 where uncompressedPoint.count == 33:
            throw .compressedPoint
        case 0x06 where uncompressedPoint.count == 65, 0x07 where uncompressedPoint.count == 65:
            throw .hybridPoint
        default: throw .badPoint
        }
        do {
            key = try ECPublicKey(uncompressedPoint: uncompressedPoint)
        } catch {
            // Whatever else libcrypto may lack, it then fails for the curve's own base point too.
            throw Self.hasCurve ? .notOnCurve : .libcrypto(error)
        }
        self.uncompressedPoint = uncompressedPoint
    }

    /// Whether a raw signature over a digest is this key's.
    ///
    /// - Parameter raw: R then S, 64 bytes; any other length is `false`. A high S is valid: ECDSA
    ///   signatures are malleable (offers-and-grants: The order backend is the enforcement point).
    package func isValidSignature(_ raw: [UInt8], for digest: SHA256Digest) -> Bool {
        guard let der = ECDSASignature.derFromRaw(raw) else { return false }
        return key.verify(digest, der: der)
    }

    private static let hasCurve: Bool = {
        let base: [UInt8] = [
            0x04,
            0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4,
            0x40, 0xF2, 0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45,
            0xD8, 0x98, 0xC2, 0x96,
            0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F,
            0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68,
            0x37, 0xBF, 0x51, 0xF5,
        ]
        return (try? ECPublicKey(uncompressedPoint: base)) != nil
    }()
}

extension P256PublicKey: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.uncompressedPoint == right.uncompressedPoint
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(uncompressedPoint)
    }
}
