import StrictJSON
import Testing

@testable import Transitions

/// A step from the standard payload to a changed one, and the codes that it must give.
struct Step: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () throws -> (Transition, JSONElement)
    let codes: [String]

    init(
        _ name: String, _ codes: [String] = [],
        _ make: @escaping @Sendable () throws -> (Transition, JSONElement)
    ) {
        testDescription = name
        self.codes = codes
        self.make = make
    }
}

private let both = [campaign("weekend-offer", kind: "offer"), campaign("news")]
let offerOff = [
    campaign("weekend-offer", kind: "offer", enabled: "false"), campaign("news"),
]

/// What renew, kill and revive share: everything but version, times and switches stays.
private func content(_ role: @escaping @Sendable (JSONElement) -> Transition) -> [Step] {
    [
        Step("the next version") { (role(try payload()), try payload(version: "42")) },
        Step("the same version", ["transition.version"]) { (role(try payload()), try payload()) },
        Step("a lower version", ["transition.version"]) {
            (role(try payload()), try payload(version: "40"))
        },
        Step("an unreadable version", ["transition.version"]) {
            (role(try payload()), try payload(version: "42.5"))
        },
        Step("another workspace", ["transition.workspace"]) {
            (role(try payload()), try payload(version: "42", workspace: "other"))
        },
        Step("another min_sdk", ["transition.min_sdk"]) {
            (role(try payload()), try payload(version: "42", minSDK: "1.0.1"))
        },
        Step("min_sdk gone", ["transition.min_sdk"]) {
            (role(try payload()), try payload(version: "42", minSDK: nil))
        },
        Step("another ttl", ["transition.ttl_seconds"]) {
            (role(try payload()), try payload(version: "42", ttl: 3601))
        },
        Step("other settings", ["transition.settings"]) {
            (role(try payload()), try payload(version: "42", settings: #"{"demo":true}"#))
        },
        Step("the same settings in another order") {
            (
                role(try payload(settings: #"{"a":1.0,"b":2}"#)),
                try payload(version: "42", settings: #"{"b":2,"a":1}"#)
            )
        },
        Step("a member that nobody knows", ["transition.extra"]) {
            (role(try payload()), try payload(version: "42", more: #","extra":1"#))
        },
        Step("the same member that nobody knows") {
            (
                role(try payload(more: #","extra":1"#)),
                try payload(version: "42", more: #","extra":1"#)
            )
        },
        Step("a member that nobody knows is gone", ["transition.member"]) {
            (role(try payload(more: #","Ex tra":1"#)), try payload(version: "42"))
        },
        Step("a campaign gone", ["transition.campaigns"]) {
            (role(try payload()), try payload(version: "42", campaigns: [both[1]]))
        },
        Step("a campaign more", ["transition.campaigns"]) {
            (
                role(try payload()),
                try payload(version: "42", campaigns: both + [campaign("third")])
            )
        },
        Step("campaigns in another order", ["transition.campaigns"]) {
            (role(try payload()), try payload(version: "42", campaigns: both.reversed()))
        },
        Step("a campaign of another kind", ["transition.campaigns"]) {
            (
                role(try payload()),
                try payload(
                    version: "42",
                    campaigns: [campaign("weekend-offer", kind: "banner"), both[1]])
            )
        },
        Step("a campaign with one member more", ["transition.campaigns"]) {
            (
                role(try payload()),
                try payload(
                    version: "42", campaigns: [both[0], campaign("news", more: #","x":1"#)])
            )
        },
        Step("a campaign with one member fewer", ["transition.campaigns"]) {
            (
                role(try payload(campaigns: [both[0], campaign("news", more: #","x":1"#)])),
                try payload(version: "42")
            )
        },
        Step("no campaigns at all", ["transition.campaigns"]) {
            (role(try payload()), try payload(version: "42", campaigns: nil))
        },
    ]
}

extension Step {
    static let renew: [Step] =
        content { .renew(of: $0) } + [
            Step("the same expiry") { (.renew(of: try payload()), try payload(version: "42")) },
            Step("an expiry one second earlier", ["transition.expires_at"]) {
                (.renew(of: try payload()), try payload(version: "42", expires: "1795856399"))
            },
            Step("an earlier expiry that was asked for") {
                (
                    .renew(of: try payload(), expiry: .mayShorten),
                    try payload(version: "42", expires: "1795856399")
                )
            },
            Step("an earlier expiry by a shorter policy") {
                (
                    .renew(of: try payload(), expiry: .policy(lifetime: 86_400)),
                    try payload(version: "42", issued: "1793264500", expires: "1793350900")
                )
            },
            Step("earlier than the shorter policy asks", ["transition.expires_at"]) {
                (
                    .renew(of: try payload(), expiry: .policy(lifetime: 86_400)),
                    try payload(version: "42", issued: "1793264500", expires: "1793350899")
                )
            },
            Step("earlier under a policy that did not change", ["transition.expires_at"]) {
                (
                    .renew(of: try payload(), expiry: .policy(lifetime: 2_592_000)),
                    try payload(version: "42", issued: "1793264399", expires: "1795856399")
                )
            },
            Step("a campaign switched off", ["transition.enabled"]) {
                (.renew(of: try payload()), try payload(version: "42", campaigns: offerOff))
            },
            Step("a campaign switched on", ["transition.enabled"]) {
                (.renew(of: try payload(campaigns: offerOff)), try payload(version: "42"))
            },
            Step("a switch that is no boolean becomes another", ["transition.enabled"]) {
                (
                    .renew(of: try payload(campaigns: [campaign("a", enabled: nil)])),
                    try payload(version: "42", campaigns: [campaign("a", enabled: "1")])
                )
            },
            Step("a switch that is no boolean stays") {
                (
                    .renew(of: try payload(campaigns: [campaign("a", enabled: nil)])),
                    try payload(version: "42", campaigns: [campaign("a", enabled: nil)])
                )
            },
        ]

    static let kill: [Step] =
        content { .kill(of: $0) } + [
            Step("an earlier expiry") {
                (.kill(of: try payload()), try payload(version: "42", expires: "1793264401"))
            },
            Step("a campaign switched off") {
                (.kill(of: try payload()), try payload(version: "42", campaigns: offerOff))
            },
            Step("a campaign switched on", ["transition.enabled"]) {
                (.kill(of: try payload(campaigns: offerOff)), try payload(version: "42"))
            },
            Step("one off and another on", ["transition.enabled"]) {
                (
                    .kill(of: try payload(campaigns: offerOff)),
                    try payload(
                        version: "42", campaigns: [both[0], campaign("news", enabled: "false")])
                )
            },
            Step("a switch taken away", ["transition.enabled"]) {
                (
                    .kill(of: try payload()),
                    try payload(
                        version: "42", campaigns: [both[0], campaign("news", enabled: nil)])
                )
            },
        ]

    static let revive: [Step] =
        content { .revive(of: $0, enabling: []) } + [
            Step("a named campaign switched on") {
                (
                    .revive(of: try payload(campaigns: offerOff), enabling: ["weekend-offer"]),
                    try payload(version: "42", expires: "1793264401")
                )
            },
            Step("another campaign than the named one switched on", ["transition.enabled"]) {
                (
                    .revive(of: try payload(campaigns: offerOff), enabling: ["weekend-offer "]),
                    try payload(version: "42")
                )
            },
            Step("a campaign switched off") {
                (
                    .revive(of: try payload(), enabling: ["news"]),
                    try payload(version: "42", campaigns: offerOff)
                )
            },
        ]

    static let bundle: [Step] =
        [
            Step("other times, nothing left out") {
                (
                    .bundle(of: try payload()),
                    try payload(issued: "1793264500", expires: "1793264600")
                )
            },
            Step("the expiry of the source") { (.bundle(of: try payload()), try payload()) },
            Step("one second after the expiry of the source", ["transition.expires_at"]) {
                (.bundle(of: try payload()), try payload(expires: "1795856401"))
            },
            Step("the offer left out") {
                (.bundle(of: try payload()), try payload(campaigns: [campaign("news")]))
            },
            Step("a banner left out", ["transition.campaigns"]) {
                (.bundle(of: try payload()), try payload(campaigns: [both[0]]))
            },
            Step("a campaign more", ["transition.campaigns"]) {
                (.bundle(of: try payload()), try payload(campaigns: both + [campaign("third")]))
            },
            Step("a higher version", ["transition.version"]) {
                (.bundle(of: try payload()), try payload(version: "42"))
            },
            Step("a lower version", ["transition.version"]) {
                (.bundle(of: try payload()), try payload(version: "40"))
            },
            Step("a campaign switched off", ["transition.enabled"]) {
                (.bundle(of: try payload()), try payload(campaigns: offerOff))
            },
            Step("a campaign switched on", ["transition.enabled"]) {
                (.bundle(of: try payload(campaigns: offerOff)), try payload())
            },
            Step("other settings", ["transition.settings"]) {
                (.bundle(of: try payload()), try payload(settings: nil))
            },
        ]

    static let restore: [Step] =
        [
            Step("the old content under a higher version") {
                (
                    .restore(of: try payload(version: "38"), served: try payload(campaigns: [])),
                    try payload(version: "42", expires: "1793264401")
                )
            },
            Step("a version above the old one but not above the served one", ["transition.version"])
            {
                (
                    .restore(of: try payload(version: "38"), served: try payload()),
                    try payload(version: "41")
                )
            },
            Step("a version above the served one but not above the old one", ["transition.version"])
            {
                (
                    .restore(of: try payload(version: "43"), served: try payload()),
                    try payload(version: "42")
                )
            },
            Step("what is off in the served one stays off") {
                (
                    .restore(
                        of: try payload(version: "38"), served: try payload(campaigns: offerOff)),
                    try payload(version: "42", campaigns: offerOff)
                )
            },
            Step("what is off in the served one comes on", ["transition.enabled"]) {
                (
                    .restore(
                        of: try payload(version: "38"), served: try payload(campaigns: offerOff)),
                    try payload(version: "42")
                )
            },
            Step("what was off in the old one comes on", ["transition.enabled"]) {
                (
                    .restore(
                        of: try payload(version: "38", campaigns: offerOff), served: try payload()),
                    try payload(version: "42")
                )
            },
            Step("what is on in both goes off", ["transition.enabled"]) {
                (
                    .restore(of: try payload(version: "38"), served: try payload()),
                    try payload(version: "42", campaigns: offerOff)
                )
            },
            Step("what was switched off before it left the served one stays off") {
                (
                    .restore(
                        of: try payload(version: "38"), served: try payload(campaigns: []),
                        keepingOff: [Array("weekend-offer".utf8)]),
                    try payload(version: "42", campaigns: offerOff)
                )
            },
            Step(
                "what was switched off before it left the served one comes on",
                ["transition.enabled"]
            ) {
                (
                    .restore(
                        of: try payload(version: "38"), served: try payload(campaigns: []),
                        keepingOff: [Array("weekend-offer".utf8)]),
                    try payload(version: "42")
                )
            },
            Step("an old min_sdk above the served one's", ["transition.min_sdk"]) {
                (
                    .restore(
                        of: try payload(version: "38", minSDK: "9.0.0"), served: try payload()),
                    try payload(version: "42", minSDK: "9.0.0")
                )
            },
            Step("an old min_sdk below the served one's") {
                (
                    .restore(
                        of: try payload(version: "38", minSDK: "0.9.0"), served: try payload()),
                    try payload(version: "42", minSDK: "0.9.0")
                )
            },
            Step("content of the served one", ["transition.settings"]) {
                (
                    .restore(
                        of: try payload(version: "38"), served: try payload(settings: #"{"a":1}"#)),
                    try payload(version: "42", settings: #"{"a":1}"#)
                )
            },
            Step("the served one is of another workspace", ["transition.workspace"]) {
                (
                    .restore(
                        of: try payload(version: "38"), served: try payload(workspace: "other")),
                    try payload(version: "42")
                )
            },
        ]

    static let config: [Step] =
        [
            Step("the first of all") { (.config(after: nil), try payload(version: "1")) },
            Step("anything else") {
                (
                    .config(after: try payload()),
                    try payload(
                        version: "42", expires: "1793264401", ttl: 300, settings: nil,
                        campaigns: [campaign("third")], more: #","extra":1"#)
                )
            },
            Step("the same version", ["transition.version"]) {
                (.config(after: try payload()), try payload())
            },
            Step("another workspace", ["transition.workspace"]) {
                (.config(after: try payload()), try payload(version: "42", workspace: "other"))
            },
            Step("a campaign silently on again", ["transition.enabled"]) {
                (.config(after: try payload(campaigns: offerOff)), try payload(version: "42"))
            },
            Step("a campaign on again by name") {
                (
                    .config(
                        after: try payload(campaigns: offerOff),
                        enabling: ["news", "weekend-offer"]),
                    try payload(version: "42")
                )
            },
            Step("a campaign that has no switch in the source is on", ["transition.enabled"]) {
                (
                    .config(after: try payload(campaigns: [campaign("news", enabled: nil)])),
                    try payload(version: "42")
                )
            },
            Step("a new campaign that is on") {
                (
                    .config(after: try payload()),
                    try payload(version: "42", campaigns: both + [campaign("third")])
                )
            },
            Step("a campaign switched off") {
                (.config(after: try payload()), try payload(version: "42", campaigns: offerOff))
            },
            Step("the same min_sdk, an older one") {
                (.config(after: try payload()), try payload(version: "42", minSDK: "0.9.12"))
            },
            Step("min_sdk raised", ["transition.min_sdk"]) {
                (.config(after: try payload()), try payload(version: "42", minSDK: "1.0.1"))
            },
            Step("min_sdk raised, compared as numbers", ["transition.min_sdk"]) {
                (
                    .config(after: try payload(minSDK: "1.9.0")),
                    try payload(version: "42", minSDK: "1.10.0")
                )
            },
            Step("min_sdk raised with leave") {
                (
                    .config(after: try payload(), raisingMinSDK: true),
                    try payload(version: "42", minSDK: "1.0.1")
                )
            },
        ]
}
