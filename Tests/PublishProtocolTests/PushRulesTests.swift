import GronaFormats
import PublishProtocol
import Testing
import Transitions

@Suite struct PushRulesTests {
    static let issued: Int64 = 1_793_264_400
    private let workspace: WorkspaceName

    init() throws {
        workspace = try #require(WorkspaceName("acme-market"))
    }

    private func rules(
        now: Int64 = PushRulesTests.issued, environment: WorkspaceEnvironment = .production,
        delivery: ConfigDelivery = .served, enabling: [String] = [], raisesMinSDK: Bool = false,
        allowsAged: Bool = false
    ) -> PushRules {
        PushRules(
            policy: WorkspacePolicy(
                workspace: workspace, environment: environment, delivery: delivery),
            now: UnixTime(now), enabling: enabling, raisesMinSDK: raisesMinSDK,
            allowsAged: allowsAged)
    }

    @Test func `After a content that cannot be had, each campaign that is on is named`() throws {
        let both = try Payload().read()
        #expect(rules().refusals(of: both, afterUnknown: nil).isEmpty)
        #expect(
            rules(enabling: ["summer"]).refusals(of: both, afterUnknown: 4)
                == [.contentUnknown(4, campaigns: ["weekend-offer"])])
        #expect(
            rules(enabling: ["summer", "weekend-offer"]).refusals(of: both, afterUnknown: 4)
                .isEmpty)
        let off = try Payload(offerIsOn: false, bannerIsOn: nil).read()
        #expect(rules().refusals(of: off, afterUnknown: 4).isEmpty)
    }

    @Test(
        arguments: [
            (1_000_000, 100_000, false), (1_000_000, 100_001, true), (1_000_000, 0, false),
            (1_000_000, -300, false), (34_560_000, 3_456_000, false), (34_560_000, 3_456_001, true),
            (10, 1, false), (10, 2, true), (3, 0, false), (3, 1, true),
        ] as [(Int64, Int64, Bool)])
    func `A config has ninety percent of its lifetime left`(
        _ lifetime: Int64, _ age: Int64, _ isAged: Bool
    ) throws {
        let payload = try Payload(lifetime: lifetime).read()
        let now = Self.issued + age
        let refusals = rules(now: now).refusals(of: payload, after: nil)
        #expect(refusals == (isAged ? [.aged(left: lifetime - age, lifetime: lifetime)] : []))
        #expect(rules(now: now, allowsAged: true).refusals(of: payload, after: nil).isEmpty)
    }

    @Test func `The demo setting is for demo workspaces alone`() throws {
        let payload = try Payload(isDemo: true).read()
        #expect(rules().refusals(of: payload, after: nil) == [.demo])
        #expect(rules(environment: .demo).refusals(of: payload, after: nil).isEmpty)
        #expect(rules().refusals(of: try Payload().read(), after: nil).isEmpty)
    }

    @Test func `A workspace without a config URL has nothing to be pushed to`() throws {
        #expect(
            rules(delivery: .bundleOnly).refusals(of: try Payload().read(), after: nil)
                == [.bundleOnly])
    }

    @Test(arguments: [
        ("1.0.0", true), ("1.0.1", false), ("0.9.9", true), ("2.0.0", false),
    ])
    func `The top-level min_sdk rises only when somebody says so`(
        _ minSDK: String, _ isTaken: Bool
    ) throws {
        let base = try Payload(version: 1).read()
        let payload = try Payload(minSDK: minSDK).read()
        let refusals = rules().refusals(of: payload, after: base)
        #expect(refusals.map(\.code) == (isTaken ? [] : ["transition.min_sdk"]))
        #expect(rules(raisesMinSDK: true).refusals(of: payload, after: base).isEmpty)
    }

    @Test func `A campaign that goes on again is named`() throws {
        let off = try Payload(version: 1, offerIsOn: false).read()
        let on = try Payload().read()
        let refusals = rules().refusals(of: on, after: off)
        #expect(refusals.map(\.code) == ["transition.enabled"])
        #expect(
            rules(enabling: ["summer"]).refusals(of: on, after: off).map(\.code)
                == ["transition.enabled"])
        #expect(rules(enabling: ["weekend-offer"]).refusals(of: on, after: off).isEmpty)
        #expect(rules().refusals(of: off, after: on).isEmpty)
        let without = try Payload(version: 1, offerIsOn: nil).read()
        #expect(rules().refusals(of: on, after: without).isEmpty)
    }

    @Test func `The number is not judged here`() throws {
        #expect(
            rules().refusals(
                of: try Payload(version: 1).read(), after: try Payload(version: 1).read()
            ).isEmpty)
    }

    @Test func `A treatment that changes is told, one that comes or goes is not`() throws {
        let base = try Payload().read()
        let changes = PushRules.treatmentChanges(in: try Payload(value: 15_000).read(), after: base)
        #expect(changes.map(\.campaign) == ["weekend-offer"])
        #expect(changes.first?.old.value == 10_000)
        #expect(changes.first?.new.value == 15_000)
        #expect(
            PushRules.treatmentChanges(in: try Payload(type: "amount_off").read(), after: base)
                .count == 1)
        #expect(PushRules.treatmentChanges(in: base, after: base).isEmpty)
        #expect(
            PushRules.treatmentChanges(in: try Payload(offerIsOn: nil).read(), after: base)
                .isEmpty)
    }
}
