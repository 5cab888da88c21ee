/// An object identifier in DER, without tag and length (X.690, 8.19).
package struct ObjectIdentifier: Hashable, Sendable {
    package let contents: [UInt8]

    package init(contents: [UInt8]) {
        self.contents = contents
    }

    /// Copies a range of a text.
    package init(_ range: Range<Int>, of text: Span<UInt8>) {
        contents = range.map { text[$0] }
    }

    /// Arcs joined by dots; `nil` where the contents are not a whole number of arcs.
    package var dotted: String? {
        guard contents.last.map({ $0 < 0x80 }) ?? false else { return nil }
        var arcs: [UInt64] = []
        var arc: UInt64 = 0
        for byte in contents {
            guard arc < 1 << 56 else { return nil }
            arc = arc << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 {
                arcs.append(arc)
                arc = 0
            }
        }
        guard let first = arcs.first else { return nil }
        let root = min(first / 40, 2)
        let all = [root, first - 40 * root] + arcs.dropFirst()
        return all.map { String($0) }.joined(separator: ".")
    }
}

extension ObjectIdentifier {
    /// id-ecPublicKey, 1.2.840.10045.2.1 (RFC 5480, 2.1.1).
    package static let ecPublicKey = Self(contents: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
    /// secp256r1, 1.2.840.10045.3.1.7 (RFC 5480, 2.1.1.1).
    package static let p256 = Self(contents: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
}
