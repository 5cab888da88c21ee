import ES256

/// The public key of an X.509 certificate (RFC 5280, 4.1), of which nothing else is believed.
enum CertificateKey {
    /// `nil` where it is no certificate or its key is not on P-256.
    static func publicKey(of certificate: [UInt8]) -> P256PublicKey? {
        let text = certificate.span
        var outer = DERReader(0..<text.count)
        guard let body = outer.read(DERTag.sequence, in: text) else { return nil }
        var parts = DERReader(body)
        guard let toBeSigned = parts.read(DERTag.sequence, in: text) else { return nil }
        var fields = DERReader(toBeSigned)
        _ = fields.read(DERTag.explicit(0), in: text)
        // Serial number, algorithm, issuer, validity, subject.
        guard fields.read(DERTag.integer, in: text) != nil else { return nil }
        for _ in 0..<4 {
            guard fields.read(DERTag.sequence, in: text) != nil else { return nil }
        }
        guard let key = fields.skip(in: text) else { return nil }
        return try? P256PublicKey(spki: Array(certificate[key]))
    }
}
