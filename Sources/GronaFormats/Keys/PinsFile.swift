package import StrictJSON

/// A key as an app carries it.
///
/// Source: signed-configuration: Pinned keys.
package struct Pin: Sendable, Hashable {
    package var kid: KeyID
    package var publicKey: PublicKeyText

    package init(kid: KeyID, publicKey: PublicKeyText) {
        self.kid = kid
        self.publicKey = publicKey
    }

    package var json: JSONValue {
        .object([("kid", .string(kid.text)), ("public", .string(publicKey.base64))])
    }
}

/// The pins of one workspace: `{"format": 1, "id"?, "workspace", "config": [{"kid", "public"}],
/// "grant": [{"kid", "public"}]}`. The first of each list is the current key.
package struct PinsFile: Sendable, Hashable {
    /// The keyring they come from, where that is known.
    package var id: KeyringID?
    package var workspace: WorkspaceName
    package var config: [Pin]
    package var grant: [Pin]

    package init(id: KeyringID?, workspace: WorkspaceName, config: [Pin], grant: [Pin]) {
        self.id = id
        self.workspace = workspace
        self.config = config
        self.grant = grant
    }

    package subscript(use: KeyUse) -> [Pin] {
        use == .config ? config : grant
    }

    /// Reads a pins file; refuses an unknown format number, unknown members, and one key under two
    /// kids, one kid for two keys or one key for both uses.
    ///
    /// - Parameter workspace: the one it must be for, nil for any.
    package init(
        parsing bytes: [UInt8], for workspace: WorkspaceName? = nil
    ) throws(FormatError) {
        let root = try StrictObject.parse(
            bytes, limit: Limits.Reader.pins,
            allowed: ["format", "id", "workspace", "config", "grant"], code: .pinsMalformed,
            formatCode: .pinsFormat)
        id =
            root.element["id"] == nil
            ? nil : try root.pattern("id", .keyringID, KeyringID.init(_:))
        self.workspace = try root.pattern("workspace", .workspaceName, WorkspaceName.init(_:))
        if let workspace, workspace != self.workspace {
            throw FormatError(
                .pinsWorkspace,
                .wrongWorkspace(found: self.workspace.text, needed: workspace.text),
                at: try root.required("workspace"))
        }
        var bindings = KeyBindings()
        config = try Self.pins(root, .config, &bindings)
        grant = try Self.pins(root, .grant, &bindings)
    }

    private static func pins(
        _ root: StrictObject, _ use: KeyUse, _ bindings: inout KeyBindings
    ) throws(FormatError) -> [Pin] {
        var pins: [Pin] = []
        for element in try root.array(use.rawValue) {
            let object = try StrictObject(
                element, allowed: ["kid", "public"], code: .pinsMalformed)
            let pin = Pin(
                kid: try object.pattern("kid", .keyID, KeyID.init(_:)),
                publicKey: try object.pattern("public", .publicKey, PublicKeyText.init(_:)))
            try bindings.add(pin.kid, pin.publicKey, use: use, at: element)
            pins.append(pin)
        }
        return pins
    }

    package var json: JSONValue {
        let name = id.map { [("id", JSONValue.string($0.text))] } ?? []
        return .object(
            [("format", .integer(FileFormat.number)), ("workspace", .string(workspace.text))]
                + name
                + [
                    ("config", .array(config.map(\.json))), ("grant", .array(grant.map(\.json))),
                ])
    }

    /// The file's bytes: canonical JSON (RFC 8785) and a newline.
    package func serialized() -> [UInt8] {
        json.canonical() + [0x0A]
    }
}
