internal import StrictJSON

/// The campaigns of a payload by id.
struct CampaignList {
    /// In the order of the payload. A campaign without an id of its own is called `#` and its
    /// index, which no id can be.
    private(set) var ids: [String] = []
    private(set) var index: [[UInt8]: JSONElement] = [:]

    init(_ payload: JSONElement) {
        guard let list = payload["campaigns"] else { return }
        for (position, campaign) in list.elements.enumerated() {
            var id = campaign["id"]?.string ?? "#\(position)"
            if index[Array(id.utf8)] != nil { id = "#\(position)" }
            ids.append(id)
            index[Array(id.utf8)] = campaign
        }
    }

    static func changes(from old: CampaignList, to new: CampaignList) -> [CampaignChange] {
        var changes: [CampaignChange] = []
        let added = new.ids.filter { old.index[Array($0.utf8)] == nil }
        for id in (old.ids + added).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let key = Array(id.utf8)
            if let change = change(id, from: old.index[key], to: new.index[key]) {
                changes.append(change)
            }
        }
        return changes
    }

    private static func change(
        _ id: String, from old: JSONElement?, to new: JSONElement?
    ) -> CampaignChange? {
        let effects = CampaignEffects.of(old, new)
        guard let old else {
            return CampaignChange(id: id, kind: .added, values: [], effects: effects)
        }
        guard let new else {
            return CampaignChange(id: id, kind: .removed, values: [], effects: effects)
        }
        var comparison = ValueComparison()
        comparison.compare(old, new, at: [])
        guard !comparison.changes.isEmpty else { return nil }
        return CampaignChange(
            id: id, kind: .changed, values: comparison.changes, effects: effects)
    }
}
