/// The order n of P-256's base point (SEC 2, 2.4.2).
enum P256Order {
    static let bytes: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63,
        0x25, 0x51,
    ]

    /// Whether 32 bytes are a number in 1…n−1, without a branch on any of them.
    static func contains(_ scalar: Span<UInt8>) -> Bool {
        guard scalar.count == bytes.count else { return false }
        var borrow = 0
        var union: UInt8 = 0
        for index in bytes.indices.reversed() {
            borrow = (Int(scalar[index]) - Int(bytes[index]) - borrow) >> 8 & 1
            union |= scalar[index]
        }
        return borrow == 1 && union != 0
    }
}
