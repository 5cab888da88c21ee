import ES256
import GronaFormats
import ProjectFiles
import StrictJSON

/// How pins are written down.
enum PinFormat: String, CaseIterable {
    /// A pins file of ours.
    case json
    /// RFC 7517 5.
    case jwks
    /// RFC 7468 13, one block a key.
    case pem
    case swift
    case kotlin

    var isJSON: Bool {
        switch self {
        case .json, .jwks: true
        case .pem, .swift, .kotlin: false
        }
    }

    /// Whether the form has no place for what a key is for.
    var needsUse: Bool {
        switch self {
        case .jwks, .pem: true
        case .json, .swift, .kotlin: false
        }
    }
}

/// The current key of each use and the one after it, as apps and order backends take them.
struct PinSheet {
    let keyring: KeyringFile
    let uses: [KeyUse]

    /// Current first, then the next.
    private func records(_ use: KeyUse) -> [KeyRecord] {
        guard uses.contains(use) else { return [] }
        return [keyring.keyring.current(use), keyring.keyring.next(use)].compactMap { $0 }
    }

    func text(_ format: PinFormat) -> String {
        switch format {
        case .json: json
        case .jwks: jwks
        case .pem: pem
        case .swift: swift
        case .kotlin: kotlin
        }
    }

    private var json: String {
        let pins = PinsFile(
            id: keyring.keyring.id, workspace: keyring.keyring.workspace,
            config: records(.config).map { Pin(kid: $0.kid, publicKey: $0.publicKey) },
            grant: records(.grant).map { Pin(kid: $0.kid, publicKey: $0.publicKey) })
        return String(decoding: pins.serialized(), as: UTF8.self)
    }

    private var jwks: String {
        let keys = uses.flatMap(records).compactMap { record -> JSONValue? in
            guard let key = keyring.publicKey(record.kid) else { return nil }
            return .object([
                ("kty", .string("EC")), ("crv", .string("P-256")), ("x", .string(key.x)),
                ("y", .string(key.y)), ("kid", .string(record.kid.text)),
                ("alg", .string(KidRule.algorithm)), ("use", .string("sig")),
            ])
        }
        let set = JSONValue.object([("keys", .array(keys))])
        return String(decoding: set.canonical(), as: UTF8.self) + "\n"
    }

    private var pem: String {
        uses.flatMap(records).map { record in
            var text = "-----BEGIN PUBLIC KEY-----\n"
            var rest = Array(record.publicKey.base64.utf8)[...]
            while !rest.isEmpty {
                text += String(decoding: rest.prefix(64), as: UTF8.self) + "\n"
                rest = rest.dropFirst(64)
            }
            return text + "-----END PUBLIC KEY-----\n"
        }.joined()
    }

    private var swift: String {
        var text = "// Keys of \(keyring.keyring.workspace): the current one, then the next one.\n"
        for use in uses {
            text += "let \(use.rawValue)Keys: [(keyID: String, publicKey: String)] = [\n"
            for record in records(use) {
                text += "    (keyID: \"\(record.kid)\",\n"
                text += "     publicKey: \"\(record.publicKey.base64)\"),\n"
            }
            text += "]\n"
        }
        return text
    }

    private var kotlin: String {
        var text = "// Keys of \(keyring.keyring.workspace): the current one, then the next one.\n"
        for use in uses {
            text += "val \(use.rawValue)Keys: List<Pair<String, String>> = listOf(\n"
            for record in records(use) {
                text += "    \"\(record.kid)\" to\n"
                text += "        \"\(record.publicKey.base64)\",\n"
            }
            text += ")\n"
        }
        return text
    }
}
