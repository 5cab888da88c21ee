package import StrictJSON

// keyring.json: {"format": 1, "id", "workspace", "keys": [{"kid", "use", "state", "signer",
// "public", "thumbprint", "history": [{"state", "at", …}]}]}.
extension Keyring {
    /// Reads a keyring; refuses an unknown format number, unknown members, a kid or a key twice,
    /// two current keys of one use, and a history that does not end in the state.
    package init(parsing bytes: [UInt8]) throws(FormatError) {
        let code = RuleCode.keyringMalformed
        let root = try StrictObject.parse(
            bytes, limit: Limits.Reader.keyring, allowed: ["format", "id", "workspace", "keys"],
            code: code, formatCode: .keyringFormat)
        self.init(
            id: try root.pattern("id", .keyringID, KeyringID.init(_:)),
            workspace: try root.pattern("workspace", .workspaceName, WorkspaceName.init(_:)))
        var bindings = KeyBindings()
        for element in try root.array("keys") {
            let key = try KeyRecord(reading: element)
            try bindings.add(key.kid, key.publicKey, use: key.use, at: element)
            if key.state == .current, let other = current(key.use) {
                throw FormatError(code, .currentTwice(other.kid, key.kid), at: element)
            }
            keys.append(key)
        }
    }

    package var json: JSONValue {
        .object([
            ("format", .integer(FileFormat.number)), ("id", .string(id.text)),
            ("workspace", .string(workspace.text)), ("keys", .array(keys.map(\.json))),
        ])
    }

    /// The file's bytes: canonical JSON (RFC 8785) and a newline.
    package func serialized() -> [UInt8] {
        json.canonical() + [0x0A]
    }
}

extension KeyRecord {
    private static let members = [
        "kid", "use", "state", "signer", "public", "thumbprint", "history",
    ]

    fileprivate init(reading element: JSONElement) throws(FormatError) {
        let code = RuleCode.keyringMalformed
        let object = try StrictObject(element, allowed: Self.members, code: code)
        var history: [KeyEvent] = []
        for event in try object.array("history") {
            history.append(try KeyEvent(reading: event))
        }
        let signer = try object.pattern("signer", .signerURI) { $0.isEmpty ? nil : $0 }
        let state = try object.pattern("state", .keyState, KeyState.init(rawValue:))
        let key = KeyRecord(
            kid: try object.pattern("kid", .keyID, KeyID.init(_:)),
            use: try object.pattern("use", .keyUse, KeyUse.init(rawValue:)), signer: signer,
            publicKey: try object.pattern("public", .publicKey, PublicKeyText.init(_:)),
            thumbprint: try object.pattern("thumbprint", .thumbprint, Self.thumbprint),
            history: history)
        guard let key, key.state == state else {
            throw FormatError(
                code, .historyEndsElsewhere(state), at: try object.required("history"))
        }
        self = key
    }

    private static func thumbprint(_ text: String) -> String? {
        let isURLSafe = text.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_")
        }
        return isURLSafe && text.utf8.count == 43 ? text : nil
    }

    package var json: JSONValue {
        .object([
            ("kid", .string(kid.text)), ("use", .string(use.rawValue)),
            ("state", .string(state.rawValue)), ("signer", .string(signer)),
            ("public", .string(publicKey.base64)), ("thumbprint", .string(thumbprint)),
            ("history", .array(history.map(\.json))),
        ])
    }
}

extension KeyEvent {
    fileprivate init(reading element: JSONElement) throws(FormatError) {
        let object = try StrictObject(element, allowed: nil, code: .keyringMalformed)
        self.init(
            state: try object.pattern("state", .keyState, KeyState.init(rawValue:)),
            at: try object.time("at"),
            details: element.members.filter { !["state", "at"].contains($0.name) }
                .map { (name: $0.name, value: Self.owned($0.value)) })
    }

    /// A value that does not keep the whole document: ten thousand keyrings are open at once.
    private static func owned(_ element: JSONElement) -> JSONValue {
        if let text = element.string { return .string(text) }
        if let flag = element.boolean { return .boolean(flag) }
        if let number = element.integer { return .integer(number) }
        return .element(element)
    }

    package var json: JSONValue {
        .object(
            [("state", .string(state.rawValue)), ("at", .integer(at.seconds))]
                + details.map { ($0.name, $0.value) })
    }
}
