package import GronaFormats
package import StrictJSON

/// A payload made from another one: new version and times, switches turned, offers left out.
///
/// All else passes through by value, member by member.
package struct PayloadEdit: Sendable {
    package var version: ConfigVersion
    package var issuedAt: UnixTime
    package var expiresAt: UnixTime
    /// Ids of campaigns as bytes.
    package var switchedOff: Set<[UInt8]> = []
    package var switchedOn: Set<[UInt8]> = []
    package var leavesOffersOut = false

    package init(version: ConfigVersion, issuedAt: UnixTime, expiresAt: UnixTime) {
        self.version = version
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// The canonical bytes of the new payload (RFC 8785).
    package func applied(to source: JSONElement) -> [UInt8] {
        var members: [(String, JSONValue)] = [
            ("version", .integer(version.number)), ("issued_at", .integer(issuedAt.seconds)),
            ("expires_at", .integer(expiresAt.seconds)),
        ]
        for member in source.members {
            switch member.name {
            case "version", "issued_at", "expires_at":
                continue
            case "campaigns" where member.value.kind == .array:
                members.append(("campaigns", .array(campaigns(member.value))))
            default:
                members.append((member.name, .element(member.value)))
            }
        }
        return JSONValue.object(members).canonical()
    }

    private func campaigns(_ list: JSONElement) -> [JSONValue] {
        var result: [JSONValue] = []
        result.reserveCapacity(list.count)
        for campaign in list.elements where !(leavesOffersOut && Self.isOffer(campaign)) {
            guard let id = campaign["id"]?.utf8 else {
                result.append(.element(campaign))
                continue
            }
            if switchedOff.contains(id) {
                result.append(Self.switched(campaign, on: false))
            } else if switchedOn.contains(id) {
                result.append(Self.switched(campaign, on: true))
            } else {
                result.append(.element(campaign))
            }
        }
        return result
    }

    private static func isOffer(_ campaign: JSONElement) -> Bool {
        campaign["kind"]?.equals(CampaignKind.offer.rawValue) ?? false
    }

    private static func switched(_ campaign: JSONElement, on: Bool) -> JSONValue {
        var members: [(String, JSONValue)] = [("enabled", .boolean(on))]
        for member in campaign.members where !member.nameElement.equals("enabled") {
            members.append((member.name, .element(member.value)))
        }
        return .object(members)
    }
}
