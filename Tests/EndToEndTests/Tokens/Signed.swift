import ES256
import Foundation
import JOSE
import Libcrypto
import LinuxIO
import StrictJSON
import TestSupport

/// A signing input with its signature, for other judges than our own.
struct Signed {
    let input: [UInt8]
    /// R then S.
    let signature: [UInt8]

    init?(envelope: JSONElement?) {
        guard let envelope, let protected = envelope["protected"]?.string,
            let payload = envelope["payload"]?.string,
            let text = envelope["signature"]?.string,
            let signature = Base64URL.decode(Array(text.utf8))
        else { return nil }
        input = Array("\(protected).\(payload)".utf8)
        self.signature = signature
    }

    /// - Parameter token: three parts with dots, maybe with a line end.
    init?(token: String) {
        let parts = token.split(whereSeparator: \.isNewline).joined().split(separator: ".")
        guard parts.count == 3, let signature = Base64URL.decode(Array(parts[2].utf8))
        else { return nil }
        input = Array("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }

    init?(file: String) throws {
        self.init(
            envelope: try JSONDocument.parse(readFile(FilePath(file), limit: 1 << 20)).root)
    }

    func holds(for key: P256PublicKey) -> Bool {
        key.isValidSignature(signature, for: SHA256.digest(input))
    }

    /// What OpenSSL says (`openssl pkeyutl -verify` over the SHA-256 of the input).
    func holdsForOpenSSL(spki: [UInt8]) throws -> Bool {
        let folder = try TestFolder()
        let digest = try folder.write(
            "digest", try Tool.openssl("dgst", "-sha256", "-binary", input: input))
        let key = try folder.write("key.der", spki)
        let file = try folder.write("signature", Self.der(signature))
        let answer = try Tool.run([
            "openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey",
            key.description, "-sigfile", file.description, "-in", digest.description,
        ])
        return answer.status == 0 && answer.text.contains("Verified Successfully")
    }

    /// ECDSA-Sig-Value (RFC 3279, 2.2.3).
    private static func der(_ raw: [UInt8]) -> [UInt8] {
        let parts = [raw.prefix(32), raw.dropFirst(32)].map { half in
            var bytes = Array(half.drop { $0 == 0 })
            if bytes.isEmpty || bytes[0] >= 0x80 { bytes.insert(0, at: 0) }
            return [0x02, UInt8(bytes.count)] + bytes
        }
        let body = Array(parts.joined())
        return [0x30, UInt8(body.count)] + body
    }
}
