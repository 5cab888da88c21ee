package import StrictJSON

/// How a campaign is shown.
package enum CampaignKind: String, Sendable, Hashable, CaseIterable {
    case offer
    case banner
    case progressBar = "progress_bar"
    case message
    /// A host-rendered decision.
    case host
}

/// By what an SDK puts people into the arms of a campaign.
package enum CampaignUnit: String, Sendable, Hashable, CaseIterable {
    case customer
    case device
}

/// What an offer is worth.
///
/// Source: offers-and-grants: The grant token, `trt` and `val`.
package struct Treatment: Sendable, Hashable {
    package let type: Identifier
    /// In thousandths, 0 or more: 10000 of `percent_off` is 10 %.
    package let value: Int64

    package init(type: Identifier, value: Int64) {
        self.type = type
        self.value = value
    }
}

/// One arm of a campaign.
package struct CampaignVariant: Sendable {
    package let id: Identifier
    package let weight: Int64
    package let isControl: Bool
    package let content: JSONElement?
}

/// A campaign of a payload as an SDK reads it; what it does not know stays in `element`.
package struct Campaign: Sendable {
    /// The whole campaign, members that are unknown here included.
    package let element: JSONElement
    package let id: Identifier
    package let kind: CampaignKind
    /// The kill switch.
    package let isEnabled: Bool
    package let unit: CampaignUnit
    package let placements: [Identifier]
    package let variants: [CampaignVariant]
    package let treatment: Treatment?
    package let minSDK: SDKVersion?
    package let segments: [String]
    /// Higher comes first; 0 when absent.
    package let priority: Int64
    /// On while `startsAt` <= now < `endsAt`.
    package let startsAt: UnixTime?
    package let endsAt: UnixTime?
    /// The `action` of `call_to_action`.
    package let action: Identifier?

    package static let addToBasket = "add_to_basket"

    /// Offers, host decisions, and banners that add to the basket: what stops once the config is
    /// superseded (signed-configuration: Configurations that need a newer SDK).
    package var movesMoneyOrBasket: Bool {
        switch kind {
        case .offer, .host: true
        case .banner: action?.text == Self.addToBasket
        case .progressBar, .message: false
        }
    }

    /// Whether its time has come and is not over.
    package func isScheduled(at now: UnixTime) -> Bool {
        if let startsAt, now < startsAt { return false }
        if let endsAt, now >= endsAt { return false }
        return true
    }

    package func variant(_ id: String) -> CampaignVariant? {
        variants.first { $0.id.text.hasSameBytes(as: id) }
    }
}
