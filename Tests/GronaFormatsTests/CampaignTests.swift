import GronaFormats
import StrictJSON
import Testing

@Suite("Campaigns as an SDK reads them")
struct CampaignTests {
    private static let members: [(String, String)] = [
        ("id", #""weekend-offer""#), ("kind", #""offer""#), ("enabled", "true"),
        ("unit", #""customer""#), ("placements", #"["home"]"#),
        ("variants", #"[{"id":"A","weight":5000,"control":true},{"id":"B","weight":5000}]"#),
        ("treatment", #"{"type":"percent_off","value":10000}"#),
    ]

    private func campaign(_ changes: [(String, String?)] = []) throws -> Campaign {
        var members = Self.members
        for (name, value) in changes {
            members.removeAll { $0.0 == name }
            if let value { members.append((name, value)) }
        }
        let text = members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return try Campaign(reading: JSONDocument.parse(Array("{\(text)}".utf8)).root)
    }

    @Test("members are typed, and absent ones have their defaults")
    func reads() throws {
        let campaign = try campaign()
        #expect(campaign.kind == .offer)
        #expect(campaign.isEnabled)
        #expect(campaign.variant("A")?.isControl == true)
        #expect(campaign.variant("B")?.isControl == false)
        #expect(campaign.variant("C") == nil)
        #expect(campaign.treatment?.value == 10_000)
        #expect(campaign.priority == 0)
        #expect(campaign.segments.isEmpty)
        #expect(campaign.minSDK == nil)
        #expect(campaign.action == nil)
    }

    @Test("what is unknown stays in the element")
    func unknown() throws {
        let campaign = try campaign([("future", #"{"x":[1,2]}"#)])
        #expect(campaign.element["future"]?["x"]?.count == 2)
    }

    @Test(
        "a member that a rule needs and that is missing or mistyped makes it unreadable",
        arguments: [
            ("id", nil), ("id", #""a b""#), ("kind", nil), ("kind", #""video""#), ("kind", "1"),
            ("enabled", nil), ("enabled", "1"), ("enabled", #""true""#), ("unit", #""session""#),
            ("placements", nil), ("placements", #"["a b"]"#), ("placements", #""home""#),
            ("variants", nil), ("variants", "{}"), ("variants", #"[{"id":"A"}]"#),
            ("variants", #"[{"id":"A","weight":1.0}]"#),
            ("variants", #"[{"id":"A","weight":1,"control":0}]"#),
            ("treatment", "null"), ("treatment", #"{"type":"x"}"#),
            ("treatment", #"{"type":"x","value":-1}"#), ("min_sdk", #""1.4""#), ("min_sdk", "1"),
            ("segments", #"[1]"#), ("priority", "1.5"), ("starts_at", #""2026-01-01""#),
            ("ends_at", "1e9"), ("call_to_action", #"{"label":"x"}"#), ("call_to_action", "[]"),
        ] as [(String, String?)])
    func unreadable(name: String, value: String?) throws {
        let error = try #require(throws: RuleViolation.self) { try campaign([(name, value)]) }
        #expect(error.code == .payloadCampaign)
    }

    @Test(
        "offers, host decisions and banners that add to the basket move money or a basket",
        arguments: [
            (#""offer""#, nil, true), (#""host""#, nil, true), (#""message""#, nil, false),
            (#""progress_bar""#, nil, false), (#""banner""#, nil, false),
            (#""banner""#, #"{"action":"open"}"#, false),
            (#""banner""#, #"{"action":"add_to_basket"}"#, true),
            (#""message""#, #"{"action":"add_to_basket"}"#, false),
        ] as [(String, String?, Bool)])
    func money(kind: String, action: String?, moves: Bool) throws {
        let campaign = try campaign([("kind", kind), ("call_to_action", action)])
        #expect(campaign.movesMoneyOrBasket == moves)
    }

    @Test("it is on from its first second to the last before its end")
    func schedule() throws {
        let campaign = try campaign([("starts_at", "100"), ("ends_at", "200")])
        #expect(!campaign.isScheduled(at: UnixTime(99)))
        #expect(campaign.isScheduled(at: UnixTime(100)))
        #expect(campaign.isScheduled(at: UnixTime(199)))
        #expect(!campaign.isScheduled(at: UnixTime(200)))
    }

    @Test("what a campaign is unreadable by is told with its place in the payload")
    func places() throws {
        let head =
            #"{"schema":1,"version":1,"workspace":"w","issued_at":1,"expires_at":2,"#
            + #""ttl_seconds":0,"min_sdk":"0.0.0","campaigns":["#
        let good = Self.members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        let cases = [
            (good.replacing(#""offer""#, with: "1"), "/campaigns/1/kind"),
            (good.replacing(#"["home"]"#, with: #"["home","a b"]"#), "/campaigns/1/placements/1"),
            (good.replacing(#","weight":5000}"#, with: "}"), "/campaigns/1/variants/1/weight"),
            (good.replacing(":10000", with: ":-1"), "/campaigns/1/treatment/value"),
        ]
        for (campaign, pointer) in cases {
            let payload = try ConfigPayload(
                decoded: Array("\(head){\(good)},{\(campaign)}]}".utf8))
            guard case .member(pointer, _, _) = payload.unreadableCampaigns.first?.detail else {
                Issue.record("\(payload.unreadableCampaigns) instead of \(pointer)")
                continue
            }
        }
    }

    @Test("a payload full of unreadable campaigns is read in the time of its bytes")
    func manyUnreadable() throws {
        let head =
            #"{"schema":1,"version":1,"workspace":"w","issued_at":1,"expires_at":2,"#
            + #""ttl_seconds":0,"min_sdk":"0.0.0","campaigns":["#
        let many = Array(repeating: #"{"id":1}"#, count: 50_000).joined(separator: ",")
        let clock = ContinuousClock()
        let time = try clock.measure {
            let payload = try ConfigPayload(decoded: Array("\(head)\(many)]}".utf8))
            #expect(payload.unreadableCampaigns.count == 50_000)
        }
        #expect(time < .seconds(5))
    }

    @Test("one unreadable campaign leaves the others readable")
    func payload() throws {
        let text = #"""
            {"schema":1,"version":1,"workspace":"w","issued_at":1,"expires_at":2,"ttl_seconds":0,
            "min_sdk":"0.0.0","campaigns":[{"id":"x"},{"id":"m","kind":"message","enabled":true,
            "unit":"device","placements":[],"variants":[]}],"settings":{"demo":true}}
            """#
        let payload = try ConfigPayload(decoded: Array(text.utf8))
        #expect(payload.campaigns.map(\.id.text) == ["m"])
        #expect(payload.unreadableCampaigns.map(\.code) == [.payloadCampaign])
        #expect(payload.campaignElements.count == 2)
        #expect(payload.campaign("m") != nil)
        #expect(payload.isDemo)
    }
}
