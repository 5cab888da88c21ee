import GronaFormats
import StrictJSON
import Testing
import Transitions

@testable import Signing

@Suite("Drafting: bundle")
struct DraftingBundleTests {
    private func draft(
        _ bench: Bench, _ source: [UInt8], _ request: BundleRequest = BundleRequest()
    ) throws -> Draft {
        try bench.drafting.bundle(
            try bench.source(source, expiry: .mustBeAhead), request)
    }

    private func ids(_ payload: [UInt8]) throws -> [String] {
        let root = try JSONDocument.parse(payload).root
        return root["campaigns"]?.elements.compactMap { $0["id"]?.string } ?? []
    }

    @Test("a bundle has the version of its source, a life of its own and no offers")
    func plain() throws {
        let bench = try Bench()
        let draft = try draft(bench, try bench.config(7))
        #expect(draft.version == (try number(7)))
        #expect(draft.expiresAt == bench.now.adding(.days(14)))
        #expect(try ids(draft.payload) == ["news"])
        #expect(draft.notes == [.notReleased])
    }

    @Test("offers stay on request, for at most three days")
    func keepOffers() throws {
        let bench = try Bench()
        let served = try bench.config(7)
        let kept = try draft(bench, served, BundleRequest(keepsOffers: true))
        #expect(kept.expiresAt == bench.now.adding(.days(3)))
        #expect(try ids(kept.payload) == ["weekend-offer", "news"])
        let longer = DurationSeconds(3 * 86_400 + 1)
        #expect(
            try refusal {
                try draft(
                    bench, served, BundleRequest(lifetime: .lifetime(longer), keepsOffers: true))
            } == .time(.lifetimeTooLong(.bundleWithOffers, longer, cap: .days(3))))
        #expect(
            try refusal {
                try draft(
                    bench, served, BundleRequest(lifetime: .lifetime(.days(3)), keepsOffers: true))
            } == nil)
    }

    @Test("more than the policy's lifetime is refused")
    func lifetime() throws {
        let bench = try Bench()
        let served = try bench.config(7)
        let longer = DurationSeconds(14 * 86_400 + 1)
        #expect(
            try refusal { try draft(bench, served, BundleRequest(lifetime: .lifetime(longer))) }
                == .time(.lifetimeTooLong(.bundle, longer, cap: .days(14))))
        #expect(
            try refusal { try draft(bench, served, BundleRequest(lifetime: .lifetime(.days(14)))) }
                == nil)
    }

    @Test("a bundle ends with its source, and says so")
    func shortened() throws {
        var bench = try Bench()
        let served = try bench.config(7)
        let end = bench.now.seconds + 30 * 86_400
        bench.now = UnixTime(end - 14 * 86_400)
        #expect(try draft(bench, served).notes == [.notReleased])
        bench.now = UnixTime(end - 14 * 86_400 + 1)
        let short = try draft(bench, served)
        #expect(short.expiresAt.seconds == end)
        #expect(short.notes == [.shortenedToSource(UnixTime(end)), .notReleased])
    }

    @Test("an expired source gives no bundle")
    func expired() throws {
        var bench = try Bench()
        let served = try bench.config(7)
        bench.now = UnixTime(bench.now.seconds + 30 * 86_400 - 1)
        #expect(try refusal { try draft(bench, served) } == nil)
        bench.now = UnixTime(bench.now.seconds + 1)
        guard case .source(_, let violation) = try refusal({ try draft(bench, served) }) else {
            Issue.record("an expired source was bundled")
            return
        }
        #expect(violation.code == .payloadExpired)
    }

    @Test("a folder is bundled only where no config is served, above all that was signed")
    func folder() throws {
        var bench = try Bench()
        #expect(
            try refusal {
                try bench.drafting.bundle(
                    try bench.workspace(), version: try number(1), BundleRequest())
            } == .deliveryNotBundleOnly(Bench.name))
        let served = try bench.config(3)
        bench.policy.delivery = .bundleOnly
        #expect(try refusal { try draft(bench, served) } == .deliveryBundleOnly(Bench.name))
        for (version, expected) in [
            (3, .version(.notAbove(try number(3), highest: 3, next: try number(4)))), (4, nil),
        ] as [(Int64, SigningError?)] {
            let refused = try refusal {
                try bench.drafting.bundle(
                    try bench.workspace(), version: try number(version), BundleRequest())
            }
            #expect(refused == expected)
        }
    }

    @Test("a bundle of a folder can be repeated byte by byte, and not otherwise")
    func repeated() throws {
        var bench = try Bench()
        bench.policy.delivery = .bundleOnly
        func draft() throws -> Draft {
            try bench.drafting.bundle(
                try bench.workspace(), version: try number(1), BundleRequest())
        }
        _ = try bench.sign(try draft())
        #expect(try refusal { try draft() } == nil)
        bench.now = UnixTime(bench.now.seconds + 1)
        #expect(
            try refusal { try draft() }
                == .version(.notAbove(try number(1), highest: 1, next: try number(2))))
    }
}
