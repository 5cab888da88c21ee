import ES256
import GronaFormats
import GronaVerification
import JOSE
import StrictJSON
import TestSupport

/// The moment of the tests: 2026-10-29T09:00:00Z.
let now = UnixTime(1_793_264_400)

let acme = "acme-market"

/// Claims or a payload whose members can be changed one by one, each as JSON text.
struct Draft {
    var members: [(name: String, json: String)]

    static var config: Draft {
        Draft(members: [
            ("schema", "1"), ("version", "7"), ("workspace", #""acme-market""#),
            ("issued_at", "\(now.seconds)"), ("expires_at", "\(now.seconds + 86_400)"),
            ("ttl_seconds", "3600"), ("min_sdk", #""1.4.0""#),
        ])
    }

    static var grant: Draft {
        Draft(members: [
            ("sub", #""cus_7Hq2Lm9x""#), ("wks", #""acme-market""#),
            ("cmp", #""weekend-offer""#), ("var", #""B""#), ("trt", #""percent_off""#),
            ("val", "10000"), ("iat", "\(now.seconds)"), ("exp", "\(now.seconds + 3600)"),
            ("jti", #""9f1c2e7a4b6d8e0f1a3c5b7d""#), ("prv", "false"),
        ])
    }

    static var preview: Draft {
        Draft(members: [
            ("wks", #""acme-market""#), ("cmp", #""weekend-offer""#), ("var", #""B""#),
            ("iat", "\(now.seconds)"), ("exp", "\(now.seconds + 3600)"), ("jti", #""p1""#),
            ("prv", "true"),
        ])
    }

    func with(_ name: String, _ json: String?) -> Draft {
        var draft = self
        draft.members.removeAll { $0.name == name }
        if let json { draft.members.append((name, json)) }
        return draft
    }

    var bytes: [UInt8] {
        Array("{\(members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ","))}".utf8)
    }
}

func name(_ text: String) throws -> WorkspaceName {
    struct NoName: Error {}
    guard let name = WorkspaceName(text) else { throw NoName() }
    return name
}

extension TestKey {
    func record(_ use: KeyUse, _ state: KeyState) throws -> KeyRecord {
        struct NoKey: Error {}
        guard let kid = KeyID(kid), let text = PublicKeyText(publicKey.base64SPKI) else {
            throw NoKey()
        }
        return KeyRecord(
            kid: kid, use: use, signer: "file:\(kid).pem", publicKey: text,
            thumbprint: publicKey.thumbprint, born: KeyEvent(state: state, at: now))
    }
}

func keyring(
    _ keys: [(key: TestKey, use: KeyUse, state: KeyState)], workspace: String = acme
) throws -> Keyring {
    struct NoID: Error {}
    guard let id = KeyringID(randomBytes: [UInt8](repeating: 7, count: 16)) else { throw NoID() }
    return Keyring(
        id: id, workspace: try name(workspace),
        keys: try keys.map { try $0.key.record($0.use, $0.state) })
}
