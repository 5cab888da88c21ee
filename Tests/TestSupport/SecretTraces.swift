import Foundation

/// The forms in which a secret may lie in memory, as byte strings to look for.
///
/// A copy may be broken, so pieces are looked for and not the whole: the runs of eight bytes that
/// stand one behind the other. Eight random bytes are found by chance once in 10^12 images.
package struct SecretTraces: Sendable {
    package enum Form: String, CaseIterable, Sendable {
        case raw, base64, base64url, hex
        case upperHex = "HEX"
        case limbs
    }

    package struct Trace: Sendable {
        package let form: Form
        package let bytes: [UInt8]
    }

    package let name: String
    package let traces: [Trace]
    /// One text a form, for planting: whatever finds traces has to find each of them.
    package let planted: [UInt8]

    /// - Parameter secret: at least 16 bytes without structure.
    package init(_ name: String, _ secret: [UInt8], forms: [Form] = Form.allCases) {
        self.name = name
        var traces: [Trace] = []
        for form in forms {
            traces += SecretTraces.pieces(form, secret).map { Trace(form: form, bytes: $0) }
        }
        self.traces = traces
        planted = Array(
            forms.map { form in SecretTraces.whole(form, secret) + Array(" - ".utf8) }.joined())
    }

    private static func words(_ secret: [UInt8]) -> [[UInt8]] {
        stride(from: 0, through: secret.count - 8, by: 8).map { Array(secret[$0..<($0 + 8)]) }
    }

    private static func pieces(_ form: Form, _ secret: [UInt8]) -> [[UInt8]] {
        switch form {
        case .raw: words(secret)
        case .hex: words(secret).map { hex($0, "0123456789abcdef") }
        case .upperHex: words(secret).map { hex($0, "0123456789ABCDEF") }
        // The least significant byte of each word first, as numbers lie in this machine's memory.
        case .limbs: words(secret).map { $0.reversed() }
        case .base64: base64(secret)
        case .base64url:
            base64(secret).map { $0.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 } }
        }
    }

    private static func whole(_ form: Form, _ secret: [UInt8]) -> [UInt8] {
        switch form {
        case .limbs: secret.reversed()
        case .base64: Array(Data(secret).base64EncodedString().utf8)
        case .base64url:
            Array(Data(secret).base64EncodedString().utf8)
                .map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
        case .raw, .hex, .upperHex: Array(pieces(form, secret).joined())
        }
    }

    /// Twelve digits out of the middle, for each place that the secret may have in a text of three
    /// bytes to four digits.
    private static func base64(_ secret: [UInt8]) -> [[UInt8]] {
        (0..<3).map { shift in
            let text = Array(
                Data([UInt8](repeating: 0, count: shift) + secret).base64EncodedString().utf8)
            return Array(text[4..<16])
        }
    }

    private static func hex(_ bytes: [UInt8], _ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
