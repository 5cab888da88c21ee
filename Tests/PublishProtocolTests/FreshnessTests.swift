import GronaFormats
import Testing

@testable import PublishProtocol

@Suite struct FreshnessTests {
    private static let issued = UnixTime(1_793_264_400)
    private static let day: Int64 = 86_400

    private func workspace(_ name: String = "acme-market") throws -> WorkspaceName {
        try #require(WorkspaceName(name))
    }

    private func freshness(
        _ lifetime: Int64, within: Int64? = nil, renewBefore: Int64? = nil,
        name: String = "acme-market"
    ) throws -> Freshness {
        Freshness(
            of: try workspace(name), issuedAt: Self.issued,
            expiresAt: UnixTime(Self.issued.seconds + lifetime),
            within: within.map { DurationSeconds($0) },
            renewBefore: renewBefore.map { DurationSeconds($0) })
    }

    @Test(
        "Due at the point that was asked for, else the policy's, else half of the life",
        arguments: [
            (nil, nil, 15), (nil, 10, 10), (20, 10, 20), (20, nil, 20), (0, 10, 0), (99, nil, 30),
        ] as [(Int64?, Int64?, Int64)])
    func point(_ within: Int64?, _ renewBefore: Int64?, _ days: Int64) throws {
        let life = 30 * Self.day
        let fresh = try freshness(
            life, within: within.map { $0 * Self.day },
            renewBefore: renewBefore.map { $0 * Self.day })
        let jitter = min(
            Freshness.jitter(of: try workspace(), lifetime: life), (life - days * Self.day) / 2)
        #expect(fresh.renewalPoint.seconds == days * Self.day + jitter)
        let due = fresh.expiresAt.seconds - fresh.renewalPoint.seconds
        #expect(fresh.dueAt.seconds == due)
        #expect(fresh.due(at: UnixTime(due), signer: .current) == .life)
        #expect(fresh.due(at: UnixTime(due - 1), signer: .current) == nil)
    }

    @Test("Jitter is the workspace's own, and at most a sixteenth of the lifetime")
    func jitter() throws {
        let life: Int64 = 1_600_000
        var seen: Set<Int64> = []
        for number in 0..<1_000 {
            let name = try workspace("shop-\(number)")
            let jitter = Freshness.jitter(of: name, lifetime: life)
            #expect((0...life / 16).contains(jitter))
            #expect(jitter == Freshness.jitter(of: name, lifetime: life))
            // The same part of another lifetime.
            let half = Freshness.jitter(of: name, lifetime: life / 2)
            #expect(abs(jitter / 2 - half) <= 1)
            seen.insert(jitter / 10_000)
        }
        #expect(seen.count == 10 || seen.count == 11)
        #expect(Freshness.jitter(of: try workspace(), lifetime: 15) == 0)
        #expect(Freshness.jitter(of: try workspace(), lifetime: -1) == 0)
    }

    @Test("What was just signed is not due by jitter alone", arguments: [0, 1, 2, 3] as [Int64])
    func jitterNeverRenewsAtOnce(_ rest: Int64) throws {
        for number in 0..<50 {
            let fresh = try freshness(
                30 * Self.day, renewBefore: 30 * Self.day - rest, name: "shop-\(number)")
            let isDue = fresh.due(at: Self.issued, signer: .current) != nil
            #expect(isDue == (rest == 0))
        }
    }

    @Test("Due by a key that was current once", arguments: KeyState.allCases)
    func key(_ state: KeyState) throws {
        let handedOver: [KeyState] = [.retiring, .retired, .destroyed, .compromised]
        let fresh = try freshness(30 * Self.day)
        #expect(
            fresh.due(at: Self.issued, signer: state) == (handedOver.contains(state) ? .key : nil))
        #expect(fresh.due(at: fresh.dueAt, signer: state) == .life)
        #expect(fresh.due(at: Self.issued, signer: nil) == nil)
    }

    @Test(
        "Late below a quarter of the lifetime, over at its end",
        arguments: [400, 401, 403, 1, 0] as [Int64])
    func quarter(_ lifetime: Int64) throws {
        let fresh = try freshness(lifetime)
        let end = fresh.expiresAt.seconds
        #expect(!fresh.isLate(at: UnixTime(end - lifetime / 4)))
        #expect(fresh.isLate(at: UnixTime(end - lifetime / 4 + 1)))
        #expect(fresh.isOver(at: fresh.expiresAt))
        #expect(!fresh.isOver(at: UnixTime(end - 1)))
    }

    @Test(
        "Waiting takes at most a twentieth of what is left",
        arguments: [(2_000, 100), (1_999, 99), (19, 0), (0, 0), (-50, 0)] as [(Int64, Int64)])
    func wait(_ left: Int64, _ most: Int64) throws {
        let fresh = try freshness(30 * Self.day)
        let now = UnixTime(fresh.expiresAt.seconds - left)
        #expect(fresh.longestWait(at: now).seconds == most)
    }

    @Test("Times at the ends of what numbers hold do not trap")
    func extremes() throws {
        for (from, to) in [(Int64.min, Int64.max), (.max, .min), (0, .max), (.min, 0)] {
            let fresh = Freshness(
                of: try workspace(), issuedAt: UnixTime(from), expiresAt: UnixTime(to),
                renewBefore: DurationSeconds(.max))
            _ = fresh.due(at: UnixTime(.min), signer: nil)
            _ = fresh.longestWait(at: UnixTime(.min))
            _ = fresh.isLate(at: UnixTime(.max))
        }
    }
}
