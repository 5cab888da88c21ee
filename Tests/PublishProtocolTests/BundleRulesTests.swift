import GronaFormats
import PublishProtocol
import Testing

@Suite struct BundleRulesTests {
    private let workspace: WorkspaceName

    init() throws {
        workspace = try #require(WorkspaceName("acme-market"))
    }

    private func rules(
        bundle: Int64? = nil, withOffers: Int64? = nil,
        environment: WorkspaceEnvironment = .production
    ) -> BundleRules {
        var policy = WorkspacePolicy(workspace: workspace, environment: environment)
        if let bundle { policy.lifetimes.bundle = DurationSeconds(bundle) }
        if let withOffers { policy.lifetimes.bundleWithOffers = DurationSeconds(withOffers) }
        return BundleRules(policy: policy)
    }

    private static let day: Int64 = 86_400

    @Test(
        arguments: [
            (nil, nil, nil, 14 * day, true), (nil, nil, nil, 14 * day + 1, false),
            (nil, nil, true, 3 * day, true), (nil, nil, true, 3 * day + 1, false),
            (nil, nil, false, 3 * day + 1, false), (7 * day, nil, nil, 7 * day, true),
            (7 * day, nil, nil, 7 * day + 1, false), (nil, day, true, day, true),
            (nil, day, true, day + 1, false), (day, nil, true, day, true),
            (day, nil, true, day + 1, false),
        ] as [(Int64?, Int64?, Bool?, Int64, Bool)])
    func `A bundle lives as long as the policy says, with an offer in it shorter`(
        _ plain: Int64?, _ withOffers: Int64?, _ offer: Bool?, _ lifetime: Int64, _ isTaken: Bool
    ) throws {
        let bundle = try Payload(lifetime: lifetime, offerIsOn: offer).read()
        let refusals = rules(bundle: plain, withOffers: withOffers).refusals(
            of: bundle, served: nil, source: nil)
        let limit = rules(bundle: plain, withOffers: withOffers).longestLifetime(of: bundle)
        #expect(
            refusals == (isTaken ? [] : [.bundleLifetime(lifetime, atMost: limit)]))
    }

    @Test func `A bundle in which something is on that was switched off since is stale`() throws {
        let bundle = try Payload(version: 2, lifetime: Self.day, offerIsOn: nil).read()
        func refusals(_ served: Payload) throws -> [Refusal] {
            rules().refusals(of: bundle, served: try served.read(), source: nil)
        }
        #expect(try refusals(Payload(version: 3)).isEmpty)
        #expect(
            try refusals(Payload(version: 3, bannerIsOn: false))
                == [.bundleStale(2, campaigns: ["summer"])])
        #expect(
            try refusals(Payload(version: 3, bannerIsOn: nil))
                == [.bundleStale(2, campaigns: ["summer"])])
        #expect(try refusals(Payload(version: 3, offerIsOn: false)).isEmpty)
        let off = try Payload(version: 2, lifetime: Self.day, bannerIsOn: false).read()
        #expect(
            rules().refusals(
                of: off, served: try Payload(version: 3, bannerIsOn: false).read(), source: nil
            ).isEmpty)
    }

    @Test func `A bundle is what its source says, offers left out`() throws {
        let source = try Payload(lifetime: 30 * Self.day).read()
        func codes(_ bundle: Payload) throws -> [String] {
            rules().refusals(of: try bundle.read(), served: source, source: source).map(\.code)
        }
        #expect(try codes(Payload(lifetime: Self.day, offerIsOn: nil)).isEmpty)
        #expect(try codes(Payload(lifetime: Self.day)).isEmpty)
        #expect(
            try codes(Payload(lifetime: Self.day, offerIsOn: nil, bannerIsOn: false))
                == ["transition.enabled"])
        #expect(
            try codes(Payload(lifetime: Self.day, offerIsOn: nil, bannerIsOn: nil))
                == ["transition.campaigns"])
        #expect(
            try codes(Payload(lifetime: Self.day, minSDK: "1.1.0", offerIsOn: nil))
                == ["transition.min_sdk"])
        let short = try Payload(lifetime: Self.day).read()
        let late = try Payload(lifetime: Self.day + 1, offerIsOn: nil).read()
        #expect(
            rules().refusals(of: late, served: short, source: short).map(\.code)
                == ["transition.expires_at"])
    }

    @Test func `The demo setting is for demo workspaces alone`() throws {
        let bundle = try Payload(lifetime: Self.day, isDemo: true).read()
        #expect(rules().refusals(of: bundle, served: nil, source: nil) == [.demo])
        #expect(
            rules(environment: .demo).refusals(of: bundle, served: nil, source: nil).isEmpty)
    }
}
