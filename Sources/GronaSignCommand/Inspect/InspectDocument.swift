import GronaFormats
import JOSE
import StrictJSON

/// A signed document taken apart, each part for itself; nothing is checked.
struct InspectDocument {
    enum Form: String {
        case envelope
        case compact
    }

    let form: Form
    let byteCount: Int
    let header: Result<JSONElement, RuleViolation>
    let payload: Result<JSONElement, RuleViolation>
    let signature: Result<[UInt8], RuleViolation>

    /// What begins like a JSON text is an envelope, anything else a compact JWS; one newline at the
    /// end of that is dropped.
    ///
    /// - Throws: where it is neither.
    init(_ bytes: [UInt8]) throws(RuleViolation) {
        byteCount = bytes.count
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        let first = bytes.first { !blanks.contains($0) }
        let isCompact = first.map { ASCII.isLetter($0) || ASCII.isDigit($0) } ?? false
        let parts: (protected: [UInt8], payload: [UInt8], signature: [UInt8])
        if isCompact {
            form = .compact
            let token = bytes.last == 0x0A ? Array(bytes.dropLast()) : bytes
            do throws(CompactJWSError) {
                let jws = try CompactJWS(parsing: token)
                parts = (jws.protected, jws.payload, jws.signature)
            } catch {
                throw RuleViolation(.grantMalformed, .parts(error.partCount))
            }
        } else {
            form = .envelope
            let jws = try EnvelopeRule.read(bytes)
            parts = (jws.protected, jws.payload, jws.signature)
        }
        header = Self.json(parts.protected, .headerMalformed)
        payload = Self.json(parts.payload, form == .compact ? .grantMalformed : .payloadMalformed)
        signature = Result { () throws(RuleViolation) in
            try SignatureRule.decode(parts.signature)
        }
    }

    private static func json(
        _ text: [UInt8], _ code: RuleCode
    ) -> Result<JSONElement, RuleViolation> {
        guard let bytes = Base64URL.decode(text) else {
            return .failure(RuleViolation(code, .notBase64URL))
        }
        return Result { () throws(JSONError) in try JSONDocument.parse(bytes).root }
            .mapError { RuleViolation(code, .json($0)) }
    }

    /// By the header's `typ`; nil for none of ours.
    var type: DocumentType? {
        (try? header.get())?["typ"]?.string.flatMap(DocumentType.init(rawValue:))
    }
}
