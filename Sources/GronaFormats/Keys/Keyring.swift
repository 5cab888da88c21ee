/// The keys of one workspace: who signs, who signed, who will.
package struct Keyring: Sendable {
    package let id: KeyringID
    package let workspace: WorkspaceName
    package var keys: [KeyRecord]

    package init(id: KeyringID, workspace: WorkspaceName, keys: [KeyRecord] = []) {
        self.id = id
        self.workspace = workspace
        self.keys = keys
    }

    package func key(_ kid: KeyID) -> KeyRecord? {
        keys.first { $0.kid == kid }
    }

    /// The one key of that use which signs.
    package func current(_ use: KeyUse) -> KeyRecord? {
        keys.first { $0.use == use && $0.state == .current }
    }

    /// The key that follows the current one: the furthest on its way (standby before announced
    /// before generated), and of two equally far the newest.
    package func next(_ use: KeyUse) -> KeyRecord? {
        for state in [KeyState.standby, .announced, .generated] {
            if let key = keys.last(where: { $0.use == use && $0.state == state }) { return key }
        }
        return nil
    }

    /// The keys whose signatures count: current, retiring and the next
    /// (signed-configuration: Pinned keys).
    package func trusted(_ use: KeyUse) -> [KeyRecord] {
        let next = next(use)?.kid
        return keys.filter { key in
            key.use == use
                && (key.state == .current || key.state == .retiring || key.kid == next)
        }
    }
}
