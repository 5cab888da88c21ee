import PublishProtocol
import Testing

/// A document whose content is told by the author: same number, other author, other payload.
private func document(_ version: Int64, _ author: Int = 1) -> DocumentFacts {
    ModelWorld.document(version, author: author)
}

private func serving(_ document: DocumentFacts, defect: String? = nil) -> ServedReading {
    .present(.genuine(document, defect: defect), tag: ModelWorld.tag(document))
}

private let junk = ServedReading.present(
    .junk(envelope: ContentDigest(number: 7), code: "envelope.malformed"), tag: EntityTag("7"))

struct VersionCase: CustomTestStringConvertible {
    let testDescription: String
    var served: ServedReading = .absent
    var history = History()
    var ledger = LedgerView()
    var version: Int64
    var allowedJump: Int64?
    var refusals: [Refusal] = []

    init(
        _ name: String, _ version: Int64, served: ServedReading = .absent,
        history: History = History(), ledger: LedgerView = LedgerView(),
        allowedJump: Int64? = nil, refusals: [Refusal] = []
    ) {
        testDescription = name
        self.version = version
        self.served = served
        self.history = history
        self.ledger = ledger
        self.allowedJump = allowedJump
        self.refusals = refusals
    }
}

@Suite struct VersionRulesTests {
    static func claimed(_ version: Int64, _ author: Int) -> History {
        History(claims: [document(version, author)])
    }

    /// A ledger in which the number is the author's; or one whose highest number is, and whose
    /// contents are another one's.
    static func lined(_ version: Int64, _ author: Int, author other: Int? = nil) -> LedgerView {
        LedgerView(
            highestClaim: version, highestClaimPayloads: [document(version, author).payload],
            payloads: [version: [document(version, other ?? author).payload]])
    }

    static func distrusted(_ version: Int64) -> ServedReading {
        .present(
            .distrusted(document(version, 2), code: "key.compromised"), tag: EntityTag("x"))
    }

    static let cases: [VersionCase] = [
        VersionCase("the first version of a workspace", 1),
        VersionCase("one above the served", 6, served: serving(document(5, 2))),
        VersionCase(
            "equal to the served, other content", 5, served: serving(document(5, 2)),
            refusals: [.versionNotAbove(5, above: 5, where: .served)]),
        VersionCase(
            "below the served", 4, served: serving(document(5, 2)),
            refusals: [.versionNotAbove(4, above: 5, where: .served)]),
        VersionCase(
            "an expired served copy keeps its number", 5,
            served: serving(document(5, 2), defect: "payload.expired"),
            refusals: [.versionNotAbove(5, above: 5, where: .served)]),
        VersionCase("a served copy that is not ours has none", 1, served: junk),
        VersionCase("a claim of the same content", 5, history: claimed(5, 1)),
        VersionCase(
            "a claim of other content", 5, history: claimed(5, 2),
            refusals: [.versionNotAbove(5, above: 5, where: .claim)]),
        VersionCase("one above a claim", 6, history: claimed(5, 2)),
        VersionCase(
            "one below a claim", 4, history: claimed(5, 2),
            refusals: [.versionNotAbove(4, above: 5, where: .claim)]),
        VersionCase("a ledger line of the same content", 5, ledger: lined(5, 1)),
        VersionCase(
            "a ledger line of other content", 5, ledger: lined(5, 2),
            refusals: [.versionNotAbove(5, above: 5, where: .ledger)]),
        VersionCase("one above a ledger line", 6, ledger: lined(5, 2)),
        VersionCase(
            "one below a ledger line", 4, ledger: lined(5, 2),
            refusals: [.versionNotAbove(4, above: 5, where: .ledger)]),
        VersionCase(
            "ledger lines of both contents", 5,
            ledger: LedgerView(
                highestClaim: 5,
                highestClaimPayloads: [document(5, 1).payload, document(5, 2).payload]),
            refusals: [.versionNotAbove(5, above: 5, where: .ledger)]),
        VersionCase("the number of a bundle", 5, history: History(highestBundle: 5)),
        VersionCase(
            "below a bundle in the store", 4, history: History(highestBundle: 5),
            refusals: [.versionNotAbove(4, above: 5, where: .bundle)]),
        VersionCase(
            "below a bundle in the ledger", 4, ledger: LedgerView(highestBundle: 5),
            refusals: [.versionNotAbove(4, above: 5, where: .bundle)]),
        VersionCase(
            "a number under which junk stands", 5, history: History(junkClaims: [5]),
            refusals: [.versionTaken(5)]),
        VersionCase(
            "below junk", 4, history: History(junkClaims: [5, 9_007_199_254_740_991])),
        VersionCase("1,000 above nothing", 1_000),
        VersionCase(
            "1,001 above nothing", 1_001, refusals: [.versionJump(1_001, mark: 0)]),
        VersionCase("1,000 above the served", 1_005, served: serving(document(5, 2))),
        VersionCase(
            "1,001 above the served", 1_006, served: serving(document(5, 2)),
            refusals: [.versionJump(1_006, mark: 5)]),
        VersionCase("1,000 above a claim that was never served", 1_009, history: claimed(9, 2)),
        VersionCase("1,000 above a ledger line", 1_009, ledger: lined(9, 2)),
        VersionCase("1,000 above a bundle", 1_009, ledger: LedgerView(highestBundle: 9)),
        VersionCase(
            "a claim that is not ours does not raise the mark", 1_001,
            history: History(junkClaims: [500]), refusals: [.versionJump(1_001, mark: 0)]),
        VersionCase(
            "below a claim that is too far above", 6, served: serving(document(5, 2)),
            history: claimed(1_006, 2)),
        VersionCase(
            "below a claim at the limit", 6, served: serving(document(5, 2)),
            history: claimed(1_005, 2),
            refusals: [.versionNotAbove(6, above: 1_005, where: .claim)]),
        VersionCase(
            "a far claim of other content keeps its number", 1_006, served: serving(document(5, 2)),
            history: claimed(1_006, 2), allowedJump: 1_006,
            refusals: [.versionNotAbove(1_006, above: 1_006, where: .claim)]),
        VersionCase(
            "a far claim does not excuse a jump", 1_007, served: serving(document(5, 2)),
            history: claimed(1_006, 2), refusals: [.versionJump(1_007, mark: 5)]),
        VersionCase(
            "the content of the number under which another is served", 5,
            served: serving(document(5, 2)), history: claimed(5, 1), ledger: lined(5, 1)),
        VersionCase(
            "another content than the number's, and than the served", 5,
            served: serving(document(5, 2)), history: claimed(5, 1),
            ledger: lined(5, 1, author: 3),
            refusals: [.versionNotAbove(5, above: 5, where: .served)]),
        VersionCase(
            "one above what a distrusted key signed", 6, served: distrusted(5)),
        VersionCase(
            "the number of what a distrusted key signed", 5, served: distrusted(5),
            refusals: [.versionNotAbove(5, above: 5, where: .served)]),
        VersionCase(
            "1,000 above the mark by a distrusted key", 999, served: distrusted(1_000),
            refusals: [.versionNotAbove(999, above: 1_000, where: .served)]),
        VersionCase(
            "1,001 above the mark by a distrusted key", 999, served: distrusted(1_001),
            refusals: [.farServed(1_001, mark: 0)]),
        VersionCase(
            "1,001 above the mark by a distrusted key, and a person", 999,
            served: distrusted(1_001), allowedJump: 999),
        VersionCase(
            "a jump that a person repeats", 5_000, served: serving(document(5, 2)),
            allowedJump: 5_000),
        VersionCase(
            "a jump that a person mistyped", 5_000, served: serving(document(5, 2)),
            allowedJump: 5_001, refusals: [.versionJump(5_000, mark: 5)]),
        VersionCase(
            "the last number of all, by a person", 9_007_199_254_740_991,
            allowedJump: 9_007_199_254_740_991),
    ]

    @Test(arguments: cases)
    func `A number is refused by what stands above it`(_ example: VersionCase) {
        let refusals = VersionRules.refusals(
            of: document(example.version),
            base: Publication.Base(
                served: example.served, history: example.history, ledger: example.ledger),
            allowedJump: example.allowedJump)
        #expect(refusals == example.refusals)
    }
}

@Suite struct MarksTests {
    @Test func `The claimed mark is the highest number of all sources`() {
        let sources: [(ServedReading, History, LedgerView)] = [
            (serving(document(5)), History(), LedgerView()),
            (.absent, History(claims: [document(5)]), LedgerView()),
            (.absent, History(highestBundle: 5), LedgerView()),
            (.absent, History(), LedgerView(highestClaim: 5)),
            (.absent, History(), LedgerView(highestServed: 5)),
            (.absent, History(), LedgerView(highestBundle: 5)),
        ]
        for (served, history, ledger) in sources {
            let marks = Marks(served: served, history: history, ledger: ledger)
            #expect(marks.claimed == 5)
            #expect(marks.nextVersion == 6)
        }
    }

    @Test func `A claim that was never served does not raise the served mark`() {
        let marks = Marks(
            served: serving(document(3)), history: History(claims: [document(5)]),
            ledger: LedgerView(highestClaim: 6))
        #expect(marks.served == 0)
        #expect(marks.claimed == 6)
        #expect(!marks.isRolledBack(serving(document(3))))
    }

    @Test func `A served version below the served mark is rolled back, at the mark it is not`() {
        let marks = Marks(
            served: serving(document(3)), history: History(), ledger: LedgerView(highestServed: 4))
        #expect(marks.isRolledBack(serving(document(3))))
        #expect(!marks.isRolledBack(serving(document(4))))
        #expect(marks.isRolledBack(.absent))
        #expect(marks.isRolledBack(junk))
        #expect(
            !Marks(served: .absent, history: History(), ledger: LedgerView())
                .isRolledBack(.absent))
    }

    @Test func `A bundle raises both marks`() {
        let marks = Marks(
            served: serving(document(3)), history: History(highestBundle: 4), ledger: LedgerView())
        #expect(marks.served == 4)
        #expect(marks.claimed == 4)
        #expect(marks.bundled == 4)
    }

    @Test func `Claims lift the mark step by step, and only the near ones`() {
        func marks(_ claims: [Int64], served: ServedReading = serving(document(3))) -> Marks {
            Marks(
                served: served, history: History(claims: claims.map { document($0) }),
                ledger: LedgerView())
        }
        #expect(marks([1_003]).claimed == 1_003)
        #expect(marks([1_003, 2_003]).claimed == 2_003)
        #expect(marks([1_003, 2_003]).farClaims.isEmpty)
        let far = marks([4, 1_005, 9_007_199_254_740_991])
        #expect(far.claimed == 4)
        #expect(far.farClaims == [1_005, 9_007_199_254_740_991])
        #expect(far.nextVersion == 5)
        #expect(marks([1_004], served: serving(document(4))).claimed == 1_004)
        #expect(marks([1_004]).claimed == 3)
    }

    @Test(
        arguments: [(9_007_199_254_740_990, 9_007_199_254_740_991), (9_007_199_254_740_991, nil)]
            as [(Int64, Int64?)])
    func `Above the last number there is none`(_ served: Int64, _ next: Int64?) {
        let marks = Marks(
            served: serving(document(served)), history: History(), ledger: LedgerView())
        #expect(marks.nextVersion == next)
    }

    @Test func `A copy by a distrusted key is a lower bound as far as it is near`() {
        func marks(_ version: Int64) -> Marks {
            Marks(
                served: VersionRulesTests.distrusted(version), history: History(),
                ledger: LedgerView(highestServed: 3))
        }
        #expect(marks(1_003).claimed == 1_003)
        #expect(marks(1_003).farServed == nil)
        #expect(marks(1_004).claimed == 3)
        #expect(marks(1_004).farServed == 1_004)
        #expect(marks(1_003).isRolledBack(VersionRulesTests.distrusted(1_003)))
    }

    @Test func `The next version goes around numbers that are not ours`() {
        let marks = Marks(
            served: serving(document(3)), history: History(junkClaims: [4, 5, 7]),
            ledger: LedgerView())
        #expect(marks.nextVersion == 6)
    }
}
