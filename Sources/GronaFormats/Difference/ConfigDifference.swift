package import StrictJSON

/// The difference of two decoded config payloads by meaning: a campaign that moves in the list is
/// not removed and added, and `1.0` is `1`.
package struct ConfigDifference: Sendable {
    /// Members at the top other than `campaigns`, by name.
    package let members: [ValueChange]

    /// What changes at the top mean.
    package let effects: [PayloadEffect]

    /// Campaigns that differ, by id.
    package let campaigns: [CampaignChange]

    /// The ids of the campaigns that both have, in the old and in the new order, where those
    /// differ: an SDK offers a placement to the first that fits.
    package let order: Order?

    package struct Order: Sendable, Equatable {
        package let old: [String]
        package let new: [String]
    }

    /// Members that differ from one signing to the next without a change of content.
    package static let stampMembers = ["expires_at", "issued_at", "version"]

    /// Compares two payloads; what is no object is compared as an empty one.
    package init(from old: JSONElement, to new: JSONElement) {
        var comparison = ValueComparison()
        comparison.compareMembers(of: old, and: new, at: [], skipping: ["campaigns"])
        members = comparison.changes
        effects = PayloadEffects.of(old, new)
        let before = CampaignList(old)
        let after = CampaignList(new)
        campaigns = CampaignList.changes(from: before, to: after)
        let oldOrder = before.ids.filter { after.index[Array($0.utf8)] != nil }
        let newOrder = after.ids.filter { before.index[Array($0.utf8)] != nil }
        let isSame = oldOrder.map { Array($0.utf8) } == newOrder.map { Array($0.utf8) }
        order = isSame ? nil : Order(old: oldOrder, new: newOrder)
    }

    /// Whether nothing differs but version and times.
    package var isOnlyStamp: Bool {
        campaigns.isEmpty && order == nil
            && members.allSatisfy { change in
                Self.stampMembers.contains { "/\($0)" == change.pointer }
            }
    }

    /// Whether the payloads are equal by value.
    package var isEmpty: Bool {
        campaigns.isEmpty && order == nil && members.isEmpty
    }
}
