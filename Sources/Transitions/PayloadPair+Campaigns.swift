import StrictJSON

extension PayloadPair {
    /// The ids of the campaigns that are off in the source.
    var sourceSwitchedOff: Set<[UInt8]> {
        var off: Set<[UInt8]> = []
        for campaign in Self.campaigns(of: source) {
            if let id = campaign["id"]?.utf8, KillSwitch(of: campaign).mayBeOff { off.insert(id) }
        }
        return off
    }

    /// A campaign that was off and is on must be in `names`.
    func namedSwitches(_ names: [String]) -> [TransitionViolation] {
        let off = sourceSwitchedOff
        let named = Set(names.map { Array($0.utf8) })
        var found: [TransitionViolation] = []
        for campaign in Self.campaigns(of: new) {
            guard let id = campaign["id"]?.utf8, off.contains(id), !named.contains(id),
                KillSwitch(of: campaign).mayBeOn
            else { continue }
            found.append(Self.violation(of: campaign, member: "enabled", .switchedOn))
        }
        return found
    }

    /// Every campaign stays as it is and where it is, but for the switches and, if so asked, for
    /// offers that are left out.
    func campaigns(switches: CampaignSwitches, offersMayGo: Bool = false) -> [TransitionViolation] {
        guard let before = source["campaigns"] else { return mustBeEqual("campaigns") }
        guard let after = new["campaigns"] else { return mustBeEqual("campaigns") }
        guard before.kind == .array, after.kind == .array else { return mustBeEqual("campaigns") }
        var rest = Self.campaigns(of: new)[...]
        var found: [TransitionViolation] = []
        var missing: [JSONElement] = []
        for campaign in Self.campaigns(of: source) {
            if let next = rest.first, Self.isSame(campaign, next) {
                found += differences(from: campaign, to: next, switches: switches)
                rest.removeFirst()
            } else if !(offersMayGo && Self.isOffer(campaign)) {
                missing.append(campaign)
            }
        }
        guard !missing.isEmpty || !rest.isEmpty else { return found }
        return structure(missing: missing, surplus: Array(rest)) + found
    }

    /// Says of campaigns that did not stand where they should whether they are gone, new or moved.
    private func structure(
        missing: [JSONElement], surplus: [JSONElement]
    ) -> [TransitionViolation] {
        let old = Self.campaigns(of: source)
        let now = Self.campaigns(of: new)
        let removed = missing.filter { gone in !now.contains { Self.isSame(gone, $0) } }
        let added = surplus.filter { fresh in !old.contains { Self.isSame(fresh, $0) } }
        if removed.isEmpty && added.isEmpty {
            return [
                TransitionViolation(member: "campaigns", pointer: "/campaigns", reason: .reordered)
            ]
        }
        return removed.map { Self.violation(of: $0, member: "campaigns", .removed) }
            + added.map { Self.violation(of: $0, member: "campaigns", .added) }
    }

    private func differences(
        from before: JSONElement, to after: JSONElement, switches: CampaignSwitches
    ) -> [TransitionViolation] {
        var found: [TransitionViolation] = []
        let id = after["id"]?.utf8 ?? []
        let reason = switches.reason(
            id: id, from: KillSwitch(of: before), to: KillSwitch(of: after))
        if let reason { found.append(Self.violation(of: after, member: "enabled", reason)) }
        guard before.kind == .object, after.kind == .object else { return found }
        for member in after.members where !member.name.utf8.elementsEqual("enabled".utf8) {
            if let was = before[member.name] {
                guard was.canonical() != member.value.canonical() else { continue }
                found.append(Self.violation(of: after, at: member.value, .changed))
            } else {
                found.append(Self.violation(of: after, at: member.value, .added))
            }
        }
        for member in before.members
        where after[member.name] == nil && !member.name.utf8.elementsEqual("enabled".utf8) {
            found.append(Self.violation(of: after, at: member.value, .removed))
        }
        return found
    }

    static func campaigns(of payload: JSONElement) -> [JSONElement] {
        payload["campaigns"].map { Array($0.elements) } ?? []
    }

    /// The same campaign: equal ids or, where there is none, equal values.
    private static func isSame(_ one: JSONElement, _ other: JSONElement) -> Bool {
        if let id = one["id"]?.utf8 { return other["id"]?.utf8 == id }
        return other["id"]?.utf8 == nil && one.canonical() == other.canonical()
    }

    private static func isOffer(_ campaign: JSONElement) -> Bool {
        campaign["kind"]?.utf8.map { $0.elementsEqual("offer".utf8) } ?? false
    }

    private static func violation(
        of campaign: JSONElement, member: String, _ reason: TransitionViolation.Reason
    ) -> TransitionViolation {
        let place = member == "enabled" ? campaign.pointer + "/enabled" : campaign.pointer
        return TransitionViolation(
            member: member, pointer: place, campaign: campaign["id"]?.string, reason: reason)
    }

    private static func violation(
        of campaign: JSONElement, at value: JSONElement, _ reason: TransitionViolation.Reason
    ) -> TransitionViolation {
        TransitionViolation(
            member: "campaigns", pointer: value.pointer, campaign: campaign["id"]?.string,
            reason: reason)
    }
}
