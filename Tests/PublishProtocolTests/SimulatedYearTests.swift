import GronaFormats
import PublishProtocol
import Testing

/// A year of a thousand workspaces with a timer of twelve hours: the planner and the protocol as
/// they are, over a store, a ledger and a signer in memory that are away for long.
@Suite struct SimulatedYearTests {
    @Test func `With everybody asleep for 0.95 of the printed budget nothing ends`() {
        let year = Year(asleep: 0.95)
        year.run()
        #expect(year.dark == 0)
        #expect(year.expired == 0)
        #expect(year.failures > 1_000)
        for shop in year.shops {
            // Renewals and publications explain each number.
            #expect(shop.version == 1 + Int64(shop.renewals + shop.publications))
            #expect(shop.renewals > 15)
        }
        #expect(year.shops.reduce(0) { $0 + $1.publications } > 100)
    }

    @Test func `With 1.10 of it something does, so the figure is tight`() {
        let year = Year(asleep: 1.10)
        year.run()
        #expect(year.dark > 0)
        #expect(year.expired > 0)
        // It comes back all the same.
        for shop in year.shops { #expect(shop.expiresAt.seconds > Year.end) }
    }
}

private final class Year {
    static let day: Int64 = 86_400
    static let start: Int64 = 1_793_264_400
    static let end = start + 365 * day
    static let period: Int64 = 43_200
    static let pause: Int64 = 900
    static let lifetime = 30 * day

    enum Outage: CaseIterable {
        case signer, store, host, writes
    }

    private(set) var shops: [Shop] = []
    private let asleep: Int64
    private(set) var failures = 0
    /// Renewals that came too late for a device that asks at the worst moment, and for all.
    private(set) var dark = 0
    private(set) var expired = 0
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// - Parameter asleep: the length of each outage, in parts of the smallest printed budget.
    init(asleep part: Double) {
        var budgets: [Int64] = []
        for number in 0..<1_000 {
            guard let name = WorkspaceName("shop-\(number)") else { continue }
            let shop = Shop(name, at: Self.start - Int64(number) * 15 * Self.day / 1_000)
            shops.append(shop)
            budgets.append(
                ExpiryBudget(
                    renewalPoint: shop.fresh.renewalPoint.seconds, fetchPause: Self.pause,
                    timerPeriod: Self.period
                ).asleep)
        }
        asleep = Int64(Double(budgets.min() ?? 0) * part)
    }

    private func next(_ bound: UInt64) -> UInt64 {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return random % bound
    }

    /// What is away at a time: four outages, each long enough after the one before for everything
    /// to be renewed in between.
    private func outage(at time: Int64) -> Outage? {
        for (index, kind) in Outage.allCases.enumerated() {
            let begin = Self.start + (40 + 85 * Int64(index)) * Self.day
            if (begin..<begin + asleep).contains(time) { return kind }
        }
        return nil
    }

    func run() {
        for tick in 0...(Self.end - Self.start) / Self.period {
            let time = Self.start + tick * Self.period
            let outage = outage(at: time)
            for shop in shops {
                if outage == nil, next(4_000) == 0 { publish(shop, time) }
                if outage == .host { continue }
                // What nothing is due for is looked at and left; a look changes nothing.
                guard shop.fresh.due(at: UnixTime(time), signer: .current) != nil else { continue }
                renew(shop, time, outage)
            }
        }
    }

    private func publish(_ shop: Shop, _ time: Int64) {
        let document = shop.document(shop.version + 1, at: time)
        var machine = Publication(.init(.push(document, .init())))
        if case .published = shop.drive(&machine, time, nil) { shop.publications += 1 }
    }

    private func renew(_ shop: Shop, _ time: Int64, _ outage: Outage?) {
        let before = shop.expiresAt.seconds
        var machine = Publication(.init(.rebasing))
        guard case .published = shop.drive(&machine, time, outage) else {
            failures += 1
            return
        }
        shop.renewals += 1
        if time + ExpiryBudget.cacheAge + Self.pause > before { dark += 1 }
        if time >= before { expired += 1 }
    }
}

/// One workspace with its part of the store and of the ledger.
private final class Shop {
    let name: WorkspaceName
    private var served: DocumentFacts
    private var claims: [DocumentFacts]
    private var ledger = LedgerSummary()
    private var times: [ContentDigest: Int64] = [:]
    private var staged: (base: EntityTag, document: DocumentFacts)?
    private var count: UInt64 = 0
    private(set) var fresh: Freshness
    var renewals = 0
    var publications = 0

    init(_ name: WorkspaceName, at time: Int64) {
        self.name = name
        served = DocumentFacts(
            version: 1, payload: ContentDigest(number: 1), envelope: ContentDigest(number: 2))
        claims = [served]
        times[served.envelope] = time
        fresh = Self.fresh(name, time)
        ledger.add(.observed(served))
    }

    var version: Int64 { served.version }
    var expiresAt: UnixTime { fresh.expiresAt }

    private static func fresh(_ name: WorkspaceName, _ time: Int64) -> Freshness {
        Freshness(
            of: name, issuedAt: UnixTime(time), expiresAt: UnixTime(time + Year.lifetime),
            renewBefore: nil)
    }

    private var tag: EntityTag { EntityTag(served.envelope.hex) }

    func document(_ version: Int64, at time: Int64) -> DocumentFacts {
        count += 1
        let document = DocumentFacts(
            version: version, payload: ContentDigest(number: 10 * count + 3),
            envelope: ContentDigest(number: 10 * count + 4))
        times[document.envelope] = time
        return document
    }

    func drive(
        _ machine: inout Publication, _ time: Int64, _ outage: Year.Outage?
    ) -> Verdict {
        var step = machine.begin()
        while true {
            switch step {
            case .verdict(let verdict): return verdict
            case .request(let request):
                step = machine.handle(answer(request, time, outage))
            }
        }
    }

    private func answer(
        _ request: StoreRequest, _ time: Int64, _ outage: Year.Outage?
    ) -> StoreEvent {
        switch request {
        case .readServed where outage == .store, .readHistory where outage == .store,
            .readClaim where outage == .store, .readBundle where outage == .store:
            return .failed
        case .readServed:
            return .served(
                .present(.genuine(served, defect: nil), tag: tag))
        case .readHistory(let floor):
            return .history(History(claims: claims.filter { $0.version >= floor }))
        case .readLedger: return .ledger(ledger.view)
        case .judge: return .judged([])
        case .sign(_, let version): return sign(version, time, outage)
        case .record(let record):
            if case .claimed(let document, _) = record, ledger.conflicts(with: document) {
                return .recorded(.conflict)
            }
            ledger.add(record)
            return .recorded(.written)
        case .claim(let document):
            if outage == .store || outage == .writes { return .failed }
            if claims.contains(where: { $0.version == document.version }) { return .wrote(.lost) }
            claims.append(document)
            return .wrote(.done)
        case .readClaim(let version):
            return .found(
                claims.first { $0.version == version }.map { .genuine($0, defect: nil) })
        case .swap(let document, let condition):
            if outage == .store || outage == .writes { return .failed }
            guard condition == .matches(tag), let issued = times[document.envelope] else {
                return .wrote(.lost)
            }
            served = document
            fresh = Self.fresh(name, issued)
            staged = nil
            return .wrote(.done)
        case .putBundle, .readBundle: return .failed
        }
    }

    /// As a run does it: what was signed on the same base is used again while nine tenths of its
    /// life are left.
    private func sign(
        _ version: Int64, _ time: Int64, _ outage: Year.Outage?
    ) -> StoreEvent {
        if let staged, staged.base == tag, let issued = times[staged.document.envelope],
            (time - issued) * 10 <= Year.lifetime
        {
            return .signed(staged.document, [])
        }
        if outage == .signer { return .failed }
        let document = document(version, at: time)
        staged = (tag, document)
        return .signed(document, [])
    }
}
