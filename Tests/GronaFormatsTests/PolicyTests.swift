import GronaFormats
import Testing

@Suite("Policies and limits")
struct PolicyTests {
    @Test("what a policy does not say is a production workspace's")
    func standard() throws {
        let policy = WorkspacePolicy.undeclared(try #require(WorkspaceName("acme-market")))
        #expect(!policy.isDeclared)
        #expect(policy.environment == .production)
        #expect(policy.delivery == .served)
        let lifetimes = LifetimeKind.allCases.map { policy.lifetimes[$0].description }
        #expect(lifetimes == ["30d", "14d", "3d", "1h", "1h"])
        #expect(LifetimeKind.allCases.map(\.cap.description) == ["400d", "400d", "3d", "1d", "7d"])
    }

    @Test("a config is renewed at half of its lifetime unless the policy says when")
    func renewal() throws {
        var policy = WorkspacePolicy.undeclared(try #require(WorkspaceName("acme-market")))
        #expect(policy.renewalPoint(lifetime: .days(30)) == .days(15))
        policy.renewBefore = .days(7)
        #expect(policy.renewalPoint(lifetime: .days(30)) == .days(7))
    }

    @Test("each lifetime is set and read by its kind")
    func lifetimes() {
        for kind in LifetimeKind.allCases {
            var lifetimes = Lifetimes()
            lifetimes[kind] = DurationSeconds(7)
            for other in LifetimeKind.allCases {
                #expect(lifetimes[other] == (other == kind ? DurationSeconds(7) : other.standard))
            }
        }
    }

    @Test("a signer's limits are the smaller reading of KB, a verifier's the larger")
    func limits() {
        let pairs = [Limits.envelope, Limits.payload, Limits.token]
        #expect(pairs.map(\.signing) == [768_000, 512_000, 4_000])
        #expect(pairs.map(\.verifying) == [768 * 1024, 512 * 1024, 4 * 1024])
    }
}
