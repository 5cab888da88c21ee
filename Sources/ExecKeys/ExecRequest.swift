import GronaFormats
import JOSE
import Libcrypto
import StrictJSON

/// What a program is asked, one JSON line each.
struct ExecRequest {
    /// Without the newline.
    let line: [UInt8]

    /// `{"kid":KID,"op":"public"}`
    static func publicKey(_ kid: KeyID) -> ExecRequest {
        ExecRequest([("op", .string("public")), ("kid", .string(kid.text))])
    }

    /// `{"digest":BASE64URL,"kid":KID,"op":"sign"}`: the SHA-256 of what is signed, 32 bytes, not
    /// to be hashed again.
    static func sign(_ digest: SHA256Digest, _ kid: KeyID) -> ExecRequest {
        ExecRequest([
            ("op", .string("sign")), ("kid", .string(kid.text)),
            ("digest", .string(Base64URL.encodedString(digest.bytes))),
        ])
    }

    private init(_ members: [(String, JSONValue)]) {
        line = JSONValue.object(members).canonical()
    }
}
