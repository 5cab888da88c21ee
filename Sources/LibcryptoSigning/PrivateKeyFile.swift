import ES256
import SecretMemory

/// The one private key of a PEM text, taken out of its armour.
struct PrivateKeyFile: ~Copyable {
    enum Form: Equatable {
        case sec1(hasParameters: Bool)
        case pkcs8
        case encryptedPKCS8
    }

    let form: Form
    let der: SecretBytes

    static func read(_ text: Span<UInt8>) throws(PrivateKeyError) -> PrivateKeyFile {
        var reader = PEMReader()
        var block = try reader.next(in: text)
        var hasParameters = false
        if let first = block, first.label(in: text) == "EC PARAMETERS" {
            try Self.checkStray(reader)
            let parameters = try SecretBase64.decode(first, of: text)
            try parameters.withSpan { span throws(PrivateKeyError) in
                try PrivateKeyDER.checkParameters(0..<span.count, of: span)
            }
            hasParameters = true
            block = try reader.next(in: text)
        }
        guard let block else { throw Self.isBinary(text) ? .binary : .notPEM }
        try Self.checkStray(reader)
        let form = try Self.form(of: block.label(in: text), hasParameters: hasParameters, at: block)

        // A text that holds more than one key leaves open which one signs.
        if let next = try reader.next(in: text) {
            throw next.label(in: text).utf8.elementsEqual("EC PARAMETERS".utf8)
                || next.label(in: text).hasSuffix("PRIVATE KEY") ? .secondKey : .trailingData
        }
        guard reader.strayLine == nil else { throw .trailingData }
        return PrivateKeyFile(form: form, der: try SecretBase64.decode(block, of: text))
    }

    private static func checkStray(_ reader: PEMReader) throws(PrivateKeyError) {
        if let line = reader.strayLine { throw .textBeforeKey(line: line) }
    }

    private static func form(
        of label: String, hasParameters: Bool, at block: PEMBlock
    ) throws(PrivateKeyError) -> Form {
        switch label {
        case "EC PRIVATE KEY": return .sec1(hasParameters: hasParameters)
        case "PRIVATE KEY" where !hasParameters: return .pkcs8
        case "ENCRYPTED PRIVATE KEY" where !hasParameters: return .encryptedPKCS8
        case "PRIVATE KEY", "ENCRYPTED PRIVATE KEY": throw .malformedPEM(line: block.line)
        case "PUBLIC KEY", "RSA PUBLIC KEY": throw .publicKey
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE": throw .certificate
        default: throw .otherBlock(PEMLabel(rawValue: label) ?? .unknown)
        }
    }

    /// Whether a text without blocks looks like DER: a SEQUENCE, and bytes that no text has.
    private static func isBinary(_ text: Span<UInt8>) -> Bool {
        guard text.count > 1, text[0] == DERTag.sequence else { return false }
        return text.indices.contains { text[$0] >= 0x80 || text[$0] < 0x09 }
    }
}
