package import GronaFormats
internal import StrictJSON

/// A workspace whose sources hold no error: what a payload is made from.
package struct CheckedWorkspace: Sendable {
    /// What `workspace.json` says, with the defaults for what it leaves out.
    package let policy: WorkspacePolicy

    /// The campaigns as they stand in a payload: highest priority first, then by id.
    package let campaigns: [CompiledCampaign]

    /// The root of `workspace.json`.
    let root: JSONElement

    /// The canonical bytes of a config payload (RFC 8785; signed-configuration: What the SDK
    /// checks).
    ///
    /// - Parameters:
    ///   - stamp: Version and times, which are the caller's to check.
    ///   - keepingOffers: Whether offers stay in; a bundle leaves them out
    ///     (signed-configuration: The bundled configuration).
    /// - Throws: `.payloadTooLarge` above what is signed.
    package func payload(
        _ stamp: PayloadStamp, keepingOffers: Bool = true
    ) throws(CompileError) -> [UInt8] {
        let bytes = JSONValue.object(members(stamp, keepingOffers)).canonical()
        guard bytes.count <= Limits.payload.signing else {
            throw .payloadTooLarge(bytes: bytes.count, limit: Limits.payload.signing)
        }
        return bytes
    }

    /// The size in bytes of the largest payload that any stamp gives.
    var largestPayload: Int {
        JSONValue.object(members(.widest, true)).canonical().count
    }

    private func members(_ stamp: PayloadStamp, _ keepingOffers: Bool) -> [(String, JSONValue)] {
        let kept = keepingOffers ? campaigns : campaigns.filter { $0.kind != "offer" }
        var members: [(String, JSONValue)] = [
            ("campaigns", .array(kept.map(\.value))),
            ("expires_at", .integer(stamp.expiresAt.seconds)),
            ("issued_at", .integer(stamp.issuedAt.seconds)),
            ("schema", .integer(1)),
            ("version", .integer(stamp.version.number)),
        ]
        for name in ["min_sdk", "settings", "ttl_seconds", "workspace"] {
            if let value = root[name] { members.append((name, .element(value))) }
        }
        return members
    }
}
