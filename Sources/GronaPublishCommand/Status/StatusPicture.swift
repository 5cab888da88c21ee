package import GronaFormats

/// What a store serves and what needs a hand: the one picture that text, JSON, page and metrics show.
package struct StatusPicture: Sendable {
    /// The store's name.
    package let store: String
    /// When it was looked at.
    package let madeAt: UnixTime
    /// By name, as they are listed.
    package let byName: [WorkspacePicture]
    /// The worst first; among equals the nearest end of life first, then by name.
    package let worstFirst: [WorkspacePicture]
    /// How the next commands name the store, nil where they find it by themselves.
    package let storeOption: String?

    package init(
        store: String, madeAt: UnixTime, workspaces: [WorkspacePicture], storeOption: String? = nil
    ) {
        self.store = store
        self.madeAt = madeAt
        self.storeOption = storeOption
        byName = workspaces.sorted { $0.workspace < $1.workspace }
        worstFirst =
            byName
            .map { (need: $0.need(at: madeAt), end: $0.life?.expiresAt ?? .latest, picture: $0) }
            .sorted { left, right in
                if left.need != right.need { return left.need < right.need }
                if left.end != right.end { return left.end < right.end }
                return left.picture.workspace < right.picture.workspace
            }
            .map(\.picture)
    }

    package func need(_ workspace: WorkspacePicture) -> StatusNeed { workspace.need(at: madeAt) }

    /// Those of a group, the worst first.
    package func group(_ group: StatusNeed.Group) -> [WorkspacePicture] {
        worstFirst.filter { need($0).group == group }
    }

    package var needsAHand: Bool { byName.contains { need($0).group == .needsAHand } }

    /// The workspace whose life ends first, among those that have one.
    package var nextToExpire: WorkspacePicture? {
        byName.filter { $0.life != nil }.min {
            ($0.life?.expiresAt ?? .latest) < ($1.life?.expiresAt ?? .latest)
        }
    }
}
