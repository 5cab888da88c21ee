import ES256
import JOSE
import SigningKeys
import StrictJSON

/// Reading what a program answers: one object with the member that was asked for, or
/// `{"error":{"code","message"}}`, and nothing beside.
enum ExecAnswer {
    /// Bytes of a line; the longest right answer is below 200, the rest is for error messages.
    static let limit = 16_384
    /// Characters of an error's code and message that are kept.
    private static let keptCode = 64
    private static let keptMessage = 500

    /// `{"public": base64 of the SubjectPublicKeyInfo}`
    static func publicKey(_ line: [UInt8]) throws(ExecSignerError.Problem) -> P256PublicKey {
        let text = try member("public", of: line)
        do {
            return try P256PublicKey(base64SPKI: text)
        } catch {
            throw .answer(.publicKey)
        }
    }

    /// `{"signature": base64url of R then S, or of ECDSA-Sig-Value in DER}`
    ///
    /// 64 bytes are R then S: a DER text as short as that is never seen.
    ///
    /// - Returns: R then S, 64 bytes.
    static func signature(_ line: [UInt8]) throws(ExecSignerError.Problem) -> [UInt8] {
        let text = try member("signature", of: line)
        guard let bytes = Base64URL.decode(text) else { throw .answer(.signature) }
        if bytes.count == ECDSASignature.rawByteCount { return bytes }
        guard let raw = ECDSASignature.rawFromDER(bytes) else { throw .answer(.signature) }
        return raw
    }

    private static func member(
        _ name: String, of line: [UInt8]
    ) throws(ExecSignerError.Problem) -> String {
        let root: JSONElement
        do {
            root = try JSONDocument.parse(line, maximumDepth: 2).root
        } catch {
            throw .answer(.notJSON(code: error.code))
        }
        if root.count == 1, let error = root["error"] { throw try refusal(error) }
        guard root.kind == .object, root.count == 1, let value = root[name]
        else { throw .answer(.members(expected: name)) }
        guard let text = value.string else { throw .answer(.notString(name)) }
        return text
    }

    private static func refusal(
        _ error: JSONElement
    ) throws(ExecSignerError.Problem) -> ExecSignerError.Problem {
        guard error.kind == .object, error.count == 2, let code = error["code"],
            let message = error["message"]
        else { throw .answer(.members(expected: "error")) }
        guard let code = code.string else { throw .answer(.notString("code")) }
        guard let message = message.string else { throw .answer(.notString("message")) }
        return .refused(code: kept(code, keptCode), message: kept(message, keptMessage))
    }

    /// Counted in scalars: one character may be as long as the line.
    private static func kept(_ text: String, _ limit: Int) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > limit else { return text }
        var result = ""
        result.unicodeScalars.append(contentsOf: scalars.prefix(limit))
        return result + "…"
    }
}
