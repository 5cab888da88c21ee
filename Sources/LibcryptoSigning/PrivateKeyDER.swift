import ES256

/// What was found in the DER text of a private key: positions in it, for the text is secret.
struct PrivateKeyDER {
    /// The private value, 32 bytes.
    let scalar: Range<Int>
    /// The points that claim to be the public half, uncompressed; as a rule one or none.
    let publicHalves: [Range<Int>]

    /// - Parameter text: a `PrivateKeyInfo` (RFC 5208, 5) or, of version 1, a `OneAsymmetricKey`
    ///   (RFC 5958, 2); attributes are passed over.
    init(pkcs8 text: Span<UInt8>) throws(PrivateKeyError) {
        var outer = DERReader(0..<text.count)
        guard let info = outer.read(DERTag.sequence, in: text) else { throw .malformed }
        guard outer.isAtEnd else { throw .trailingData }
        var fields = DERReader(info)
        guard let version = fields.read(DERTag.integer, in: text), version.count == 1,
            case let number = text[version.lowerBound], number <= 1,
            let algorithm = fields.read(DERTag.sequence, in: text)
        else { throw .malformed }
        try Self.checkAlgorithm(algorithm, of: text)
        guard let octets = fields.read(DERTag.octetString, in: text) else { throw .malformed }
        let key = try PrivateKeyDER(sec1: octets, of: text, isCurveKnown: true)
        scalar = key.scalar

        var halves = key.publicHalves
        if fields.nextTag(in: text) == DERTag.explicit(0) { _ = fields.skip(in: text) }
        if number == 1, fields.nextTag(in: text) == DERTag.implicit(1),
            let bits = fields.read(DERTag.implicit(1), in: text)
        {
            halves.append(try Self.point(bits, of: text))
        }
        guard fields.isAtEnd else { throw .malformed }
        publicHalves = halves
    }

    /// - Parameters:
    ///   - range: an `ECPrivateKey` (RFC 5915, 3).
    ///   - isCurveKnown: whether something around it names the curve already.
    init(
        sec1 range: Range<Int>, of text: Span<UInt8>, isCurveKnown: Bool
    ) throws(PrivateKeyError) {
        var outer = DERReader(range)
        guard let content = outer.read(DERTag.sequence, in: text) else { throw .malformed }
        guard outer.isAtEnd else { throw .trailingData }
        var fields = DERReader(content)
        guard let version = fields.read(DERTag.integer, in: text), version.count == 1,
            text[version.lowerBound] == 1,
            let scalar = fields.read(DERTag.octetString, in: text)
        else { throw .malformed }
        if fields.nextTag(in: text) == DERTag.explicit(0) {
            guard let parameters = fields.read(DERTag.explicit(0), in: text)
            else { throw .malformed }
            try Self.checkParameters(parameters, of: text)
        } else if !isCurveKnown {
            throw .noCurve
        }
        var halves: [Range<Int>] = []
        if fields.nextTag(in: text) == DERTag.explicit(1) {
            guard let wrapped = fields.read(DERTag.explicit(1), in: text) else { throw .malformed }
            var inner = DERReader(wrapped)
            guard let bits = inner.read(DERTag.bitString, in: text), inner.isAtEnd
            else { throw .malformed }
            halves.append(try Self.point(bits, of: text))
        }
        guard fields.isAtEnd else { throw .malformed }
        guard scalar.count == P256PrivateKey.scalarByteCount
        else { throw .scalarLength(scalar.count) }
        self.scalar = scalar
        publicHalves = halves
    }

    /// - Parameter range: `ECParameters` (RFC 5480, 2.1.1), as in an `EC PARAMETERS` block.
    static func checkParameters(
        _ range: Range<Int>, of text: Span<UInt8>
    ) throws(PrivateKeyError) {
        var fields = DERReader(range)
        if let refusal = P256PublicKey.refusal(ofParameters: &fields, of: text) {
            throw PrivateKeyError(refusal)
        }
    }

    private static func checkAlgorithm(
        _ range: Range<Int>, of text: Span<UInt8>
    ) throws(PrivateKeyError) {
        if let refusal = P256PublicKey.refusal(ofAlgorithm: range, of: text) {
            throw PrivateKeyError(refusal)
        }
    }

    /// The point in the contents of a BIT STRING.
    private static func point(
        _ bits: Range<Int>, of text: Span<UInt8>
    ) throws(PrivateKeyError) -> Range<Int> {
        guard let unused = bits.first, text[unused] == 0 else { throw .malformed }
        let point = bits.dropFirst()
        switch (point.first.map { text[$0] }, point.count) {
        case (0x04, 65): return point
        case (0x02, 33), (0x03, 33): throw .compressedPoint
        case (0x06, 65), (0x07, 65): throw .hybridPoint
        default: throw .badPoint
        }
    }
}

extension PrivateKeyError {
    /// A refusal of what public and private keys have in common.
    init(_ refusal: PublicKeyError) {
        switch refusal {
        case .otherAlgorithm(let identifier): self = .otherAlgorithm(identifier)
        case .otherCurve(let identifier): self = .otherCurve(identifier)
        case .explicitParameters: self = .explicitParameters
        case .compressedPoint: self = .compressedPoint
        case .hybridPoint: self = .hybridPoint
        case .badPoint, .notOnCurve: self = .badPoint
        case .trailingBytes: self = .trailingData
        case .libcrypto(let error): self = .libcrypto(error)
        case .malformed, .notBase64, .badJWK, .privateJWK: self = .malformed
        }
    }
}
