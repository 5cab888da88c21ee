import GronaFormats
import StrictJSON

/// A payload with one offer and one banner, right in all but what the arguments change.
struct Payload {
    var version: Int64 = 2
    var issuedAt: Int64 = 1_793_264_400
    var lifetime: Int64 = 30 * 86_400
    var minSDK = "1.0.0"
    var isDemo = false
    var offerIsOn: Bool? = true
    var bannerIsOn: Bool? = true
    var value: Int64 = 10_000
    var type = "percent_off"

    var json: JSONValue {
        .object([
            ("schema", .integer(1)), ("version", .integer(version)),
            ("workspace", .string("acme-market")), ("min_sdk", .string(minSDK)),
            ("issued_at", .integer(issuedAt)), ("expires_at", .integer(issuedAt + lifetime)),
            ("ttl_seconds", .integer(3_600)),
            ("settings", .object(isDemo ? [("demo", .boolean(true))] : [])),
            ("campaigns", .array(campaigns)),
        ])
    }

    private var campaigns: [JSONValue] {
        var list: [JSONValue] = []
        if let offerIsOn {
            let treatment = JSONValue.object([
                ("type", .string(type)), ("value", .integer(value)),
            ])
            list.append(campaign("weekend-offer", "offer", offerIsOn, [("treatment", treatment)]))
        }
        if let bannerIsOn { list.append(campaign("summer", "banner", bannerIsOn, [])) }
        return list
    }

    private func campaign(
        _ id: String, _ kind: String, _ isOn: Bool, _ others: [(String, JSONValue)]
    ) -> JSONValue {
        let variant = JSONValue.object([("id", .string("B")), ("weight", .integer(10_000))])
        return .object(
            [
                ("id", .string(id)), ("kind", .string(kind)), ("enabled", .boolean(isOn)),
                ("unit", .string("customer")), ("placements", .array([.string("home")])),
                ("variants", .array([variant])),
            ] + others)
    }

    func read() throws -> ConfigPayload {
        try ConfigPayload(decoded: json.canonical())
    }
}
