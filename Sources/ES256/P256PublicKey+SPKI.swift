import JOSE

extension P256PublicKey {
    /// Everything before the point's 65 bytes in the only form in which keys are exchanged.
    ///
    /// `SEQUENCE { SEQUENCE { id-ecPublicKey, secp256r1 }, BIT STRING, no unused bits }`
    /// (RFC 5480, 2).
    private static let spkiPrefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
        0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    package static let spkiByteCount = 91

    /// The DER `SubjectPublicKeyInfo`, 91 bytes.
    package var spki: [UInt8] {
        Self.spkiPrefix + uncompressedPoint
    }

    /// How an app pins the key (signed-configuration: Pinned keys).
    package var base64SPKI: String {
        Base64.encodedString(spki)
    }

    /// - Parameter spki: exactly the 91 bytes; what differs is told apart in the error.
    package init(spki: [UInt8]) throws(PublicKeyError) {
        guard spki.count == Self.spkiByteCount, spki.starts(with: Self.spkiPrefix) else {
            throw Self.refusal(ofSPKI: spki.span)
        }
        try self.init(uncompressedPoint: Array(spki[Self.spkiPrefix.count...]))
    }

    package init(base64SPKI: String) throws(PublicKeyError) {
        guard let spki = Base64.decode(base64SPKI) else { throw .notBase64 }
        try self.init(spki: spki)
    }

    /// In what a text differs from a P-256 key in the exchanged form.
    private static func refusal(ofSPKI spki: Span<UInt8>) -> PublicKeyError {
        var outer = DERReader(0..<spki.count)
        guard let info = outer.read(DERTag.sequence, in: spki) else { return .malformed }
        guard outer.isAtEnd else { return .trailingBytes(count: outer.rest.count) }
        var fields = DERReader(info)
        guard let algorithm = fields.read(DERTag.sequence, in: spki) else { return .malformed }
        if let error = refusal(ofAlgorithm: algorithm, of: spki) { return error }
        guard let bits = fields.read(DERTag.bitString, in: spki) else { return .malformed }
        guard fields.isAtEnd else { return .trailingBytes(count: fields.rest.count) }
        guard let unused = bits.first, spki[unused] == 0 else { return .malformed }
        let point = bits.dropFirst().map { spki[$0] }
        do {
            _ = try P256PublicKey(uncompressedPoint: point)
        } catch {
            return error
        }
        // Every element was right and DER has one text for each value, so this is not reached;
        // and if it were, the key is still none of ours.
        return .malformed
    }

    /// What is wrong with an `AlgorithmIdentifier` that should be that of P-256 keys.
    package static func refusal(
        ofAlgorithm range: Range<Int>, of text: Span<UInt8>
    ) -> PublicKeyError? {
        var fields = DERReader(range)
        guard let algorithm = fields.read(DERTag.objectIdentifier, in: text)
        else { return .malformed }
        let identifier = ObjectIdentifier(algorithm, of: text)
        guard identifier == .ecPublicKey else { return .otherAlgorithm(identifier) }
        return refusal(ofParameters: &fields, of: text)
    }

    /// What is wrong with `ECParameters` (RFC 5480, 2.1.1) that fill the rest of a reader.
    package static func refusal(
        ofParameters fields: inout DERReader, of text: Span<UInt8>
    ) -> PublicKeyError? {
        if fields.nextTag(in: text) == DERTag.sequence { return .explicitParameters }
        guard let curve = fields.read(DERTag.objectIdentifier, in: text) else { return .malformed }
        guard fields.isAtEnd else { return .trailingBytes(count: fields.rest.count) }
        let identifier = ObjectIdentifier(curve, of: text)
        return identifier == .p256 ? nil : .otherCurve(identifier)
    }
}
