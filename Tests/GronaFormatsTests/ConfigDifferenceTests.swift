import GronaFormats
import StrictJSON
import Testing

@Suite("Difference of two payloads")
struct ConfigDifferenceTests {
    static let offer = """
        {"id":"o","kind":"offer","enabled":true,"priority":5,
         "treatment":{"type":"percent_off","value":10000},
         "variants":[{"id":"A","weight":2000,"control":true},{"id":"B","weight":8000}]}
        """
    static let banner = """
        {"id":"b","kind":"banner","enabled":true,"call_to_action":{"action":"open"},
         "variants":[{"id":"x","weight":10000}]}
        """

    static func payload(
        _ campaigns: String, version: Int = 1, more: String = ""
    ) throws -> JSONElement {
        let text = """
            {"schema":1,"workspace":"acme","version":\(version),"issued_at":1,"expires_at":9,
             "min_sdk":"1.2.0"\(more),"campaigns":[\(campaigns)]}
            """
        return try JSONDocument.parse(Array(text.utf8)).root
    }

    static func change(_ text: String, _ into: String, in campaign: String = offer) throws
        -> CampaignChange
    {
        #expect(campaign.ranges(of: text).count == 1)
        let difference = ConfigDifference(
            from: try payload(campaign), to: try payload(campaign.replacing(text, with: into)))
        #expect(difference.campaigns.count == 1)
        #expect(difference.members.isEmpty)
        return try #require(difference.campaigns.first)
    }

    @Test("Equal payloads have none, whatever their spelling")
    func equal() throws {
        let spelled = Self.offer.replacing("10000", with: "1.0e4").replacing(
            "\"o\"", with: "\"\\u006f\"")
        let difference = ConfigDifference(
            from: try Self.payload(Self.offer), to: try Self.payload(spelled))
        #expect(difference.isEmpty)
        #expect(difference.isOnlyStamp)
    }

    @Test("A renewal differs in version and times only")
    func renewal() throws {
        let difference = ConfigDifference(
            from: try Self.payload(Self.offer), to: try Self.payload(Self.offer, version: 2))
        #expect(!difference.isEmpty)
        #expect(difference.isOnlyStamp)
        #expect(difference.members.map(\.pointer) == ["/version"])
        #expect(difference.members.first?.old?.integer == 1)
        #expect(difference.members.first?.new?.integer == 2)
    }

    @Test("The kill switch of an offer is named, both ways")
    func killSwitch() throws {
        let off = try Self.change("\"enabled\":true", "\"enabled\":false")
        #expect(off.effects == [.switchedOff(isOffer: true)])
        #expect(off.values.map(\.pointer) == ["/enabled"])
        let dark = Self.banner.replacing("true", with: "false")
        let on = try Self.change("\"enabled\":false", "\"enabled\":true", in: dark)
        #expect(on.effects == [.switchedOn(isOffer: false)])
    }

    @Test("Money that changes is named in thousandths, with its type")
    func money() throws {
        let value = try Self.change("\"value\":10000", "\"value\":20000")
        #expect(value.effects == [.moneyValue(old: 10_000, new: 20_000)])
        #expect(value.values.map(\.pointer) == ["/treatment/value"])
        let type = try Self.change("percent_off", "amount_off")
        #expect(type.effects == [.treatmentType(old: "percent_off", new: "amount_off")])
    }

    @Test("Baskets, buckets, schedules and priorities are named")
    func others() throws {
        #expect(
            try Self.change("open", "add_to_basket", in: Self.banner).effects == [
                .movesBasket(true)
            ])
        let weight = try Self.change("\"weight\":10000", "\"weight\":9999", in: Self.banner)
        #expect(weight.effects == [.buckets])
        #expect(weight.values.map(\.pointer) == ["/variants/0/weight"])
        #expect(
            try Self.change("\"priority\":5", "\"priority\":5,\"ends_at\":1").effects == [.schedule]
        )
        #expect(try Self.change("\"priority\":5,", "").effects == [.priority(old: 5, new: 0)])
    }

    @Test("Variants are told apart by id, not by place")
    func variants() throws {
        let swapped = try Self.change(
            #"{"id":"A","weight":2000,"control":true},{"id":"B","weight":8000}"#,
            #"{"id":"B","weight":8000},{"id":"A","weight":2000,"control":true}"#)
        #expect(swapped.values.map(\.pointer) == ["/variants"])
        let renamed = try Self.change("\"id\":\"B\"", "\"id\":\"C\"")
        #expect(renamed.values.map(\.pointer) == ["/variants/1", "/variants/1"])
        #expect(renamed.values[0].new == nil && renamed.values[1].old == nil)
        let inserted = try Self.change(
            "[{\"id\":\"A\",\"weight\":2000",
            "[{\"id\":\"N\",\"weight\":0},{\"id\":\"A\",\"weight\":2000")
        #expect(inserted.values.map(\.pointer) == ["/variants/0"])
    }

    @Test("Campaigns that come and go are on and off")
    func comeAndGo() throws {
        let one = try Self.payload(Self.banner)
        let two = try Self.payload(Self.offer + "," + Self.banner)
        let added = ConfigDifference(from: one, to: two)
        #expect(added.campaigns.map(\.id) == ["o"])
        #expect(added.campaigns.first?.kind == .added)
        #expect(added.campaigns.first?.effects == [.switchedOn(isOffer: true)])
        #expect(added.order == nil)
        let removed = ConfigDifference(from: two, to: one)
        #expect(removed.campaigns.first?.kind == .removed)
        #expect(removed.campaigns.first?.effects == [.switchedOff(isOffer: true)])
    }

    @Test("The order of campaigns is a difference of its own")
    func order() throws {
        let difference = ConfigDifference(
            from: try Self.payload(Self.offer + "," + Self.banner),
            to: try Self.payload(Self.banner + "," + Self.offer))
        #expect(difference.campaigns.isEmpty)
        #expect(difference.order?.old == ["o", "b"])
        #expect(difference.order?.new == ["b", "o"])
        #expect(!difference.isOnlyStamp)
    }

    @Test("What strands installs or opens the demo is named at the top")
    func top() throws {
        let old = try Self.payload("", version: 5)
        let new = try Self.payload("", version: 4, more: ",\"settings\":{\"demo\":true}")
        #expect(
            ConfigDifference(from: old, to: new).effects
                == [.versionFalls(old: 5, new: 4), .demo(true)])
        let text = #"{"workspace":"acme","min_sdk":"1.10.0","expires_at":8,"version":5}"#
        let raised = try JSONDocument.parse(Array(text.utf8)).root
        let before = try #require(SDKVersion("1.2.0"))
        let after = try #require(SDKVersion("1.10.0"))
        #expect(
            ConfigDifference(from: old, to: raised).effects
                == [
                    .minSDKRaised(old: before, new: after), .expiresEarlier(old: 9, new: 8),
                ])
    }

    @Test("Pointers escape what RFC 6901 escapes")
    func pointers() throws {
        let change = try Self.change("\"kind\"", "\"a/b~c\":1,\"kind\"")
        #expect(change.values.map(\.pointer) == ["/a~1b~0c"])
    }
}
