internal import StrictJSON

/// Works out what a change of a campaign means.
enum CampaignEffects {
    /// - Parameters: The campaign before and after; nil where a payload does not have it.
    static func of(_ old: JSONElement?, _ new: JSONElement?) -> [CampaignEffect] {
        var effects: [CampaignEffect] = []
        let wasOn = old?["enabled"]?.boolean ?? false
        let isOn = new?["enabled"]?.boolean ?? false
        if isOn && !wasOn { effects.append(.switchedOn(isOffer: isOffer(new))) }
        if wasOn && !isOn { effects.append(.switchedOff(isOffer: isOffer(old))) }
        guard let old, let new else { return effects }
        let before = old["treatment"]
        let after = new["treatment"]
        if let from = before?["value"]?.integer, let to = after?["value"]?.integer, from != to {
            effects.append(.moneyValue(old: from, new: to))
        }
        if let from = before?["type"]?.string, let to = after?["type"]?.string,
            !from.utf8.elementsEqual(to.utf8)
        {
            effects.append(.treatmentType(old: from, new: to))
        }
        if movesBasket(old) != movesBasket(new) { effects.append(.movesBasket(movesBasket(new))) }
        let priorities = (old["priority"]?.integer ?? 0, new["priority"]?.integer ?? 0)
        if priorities.0 != priorities.1 {
            effects.append(.priority(old: priorities.0, new: priorities.1))
        }
        if arms(old) != arms(new) { effects.append(.buckets) }
        let times = ["starts_at", "ends_at"]
        if times.contains(where: { old[$0]?.canonical() != new[$0]?.canonical() }) {
            effects.append(.schedule)
        }
        return effects
    }

    private static func isOffer(_ campaign: JSONElement?) -> Bool {
        campaign?["kind"]?.string == "offer" || campaign?["treatment"] != nil
    }

    private static func movesBasket(_ campaign: JSONElement) -> Bool {
        campaign["kind"]?.string == "banner"
            && campaign["call_to_action"]?["action"]?.string == "add_to_basket"
    }

    /// What buckets depend on: ids and weights of the variants, in their order.
    private static func arms(_ campaign: JSONElement) -> [[UInt8]] {
        guard let variants = campaign["variants"] else { return [] }
        return variants.elements.flatMap { variant in
            [variant["id"]?.canonical() ?? [], variant["weight"]?.canonical() ?? []]
        }
    }
}
