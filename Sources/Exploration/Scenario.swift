import PublishProtocol

/// Who is at work, what may go wrong, and with what the search begins.
package struct Scenario: Sendable, CustomStringConvertible {
    package let name: String
    let actors: [Actor]
    let world: World
    /// What a restore brings back.
    let backup: Region
    /// The number that strangers and pushes are after.
    let next: Int64
    let tamperings: [Action.Tampering]
    /// Whether the workspace has a config URL, which bounds its bundles.
    let isServed: Bool
    /// Whether the rules refuse every document.
    let refuses: Bool
    /// Whether the signer signs nothing from what is older than it has signed since.
    var signerRemembers = false
    /// Whether a re-basing run finds that what it is to do is done.
    let isDone: @Sendable (DocumentFacts, Int64, Machine) -> Bool
    package var mutant: Mutant?

    package var description: String { name }

    init(
        _ name: String, _ actors: [Actor], _ budget: World.Budget = .init(),
        serving first: DocumentFacts? = Documents.document(1, content: 1),
        backup: Region? = nil, hasReplica: Bool = false, tamperings: [Action.Tampering] = [],
        isServed: Bool = true,
        refuses: Bool = false,
        mutant: Mutant? = nil,
        isDone: @escaping @Sendable (DocumentFacts, Int64, Machine) -> Bool = { _, _, _ in false }
    ) {
        self.name = name
        self.actors = actors
        world = World(serving: first, budget: budget, hasReplica: hasReplica)
        self.backup = backup ?? world.primary
        next = (first?.version ?? 0) + 1
        self.tamperings = tamperings
        self.isServed = isServed
        self.refuses = refuses
        self.mutant = mutant
        self.isDone = isDone
    }
}

extension Scenario {
    static func push(_ version: Int64, _ content: UInt64, signature: UInt64? = nil) -> Actor {
        .push(
            Documents.document(version, content: content, signature: signature),
            "push \(version)/\(content)")
    }

    private static func farPush(_ version: Int64, _ content: UInt64) -> Actor {
        .push(
            Documents.document(version, content: content), "push \(version)/\(content) far",
            readsReplica: true)
    }

    /// The large ones, over the shipped protocol with everything that a store may do.
    static let main: [Scenario] = [
        Scenario(
            "three publishers of one number",
            [push(2, 21), push(2, 22), push(2, 23)], .init(crashes: 1, losses: 1)),
        Scenario(
            "three publishers of three numbers",
            [push(2, 21), push(3, 31), push(4, 41)], .init(losses: 1)),
        Scenario(
            "one content signed twice, and a bundle",
            [push(2, 21, signature: 24), push(2, 21, signature: 25), .bundle()],
            .init(crashes: 1, losses: 1)),
        Scenario(
            "a publisher, a refresher, a bundle", [push(2, 21), .refresh(), .bundle()], .init()),
        Scenario(
            "a crash and a lost answer under a publisher and a refresher",
            [push(2, 21), .refresh()], .init(crashes: 1, losses: 1)),
        Scenario(
            "a crash and a lost answer under a refresher and a bundle",
            [.refresh(), .bundle()], .init(crashes: 1, losses: 1)),
        Scenario(
            "two refreshers and a lost answer", [.refresh(), .refresh()], .init(losses: 1)),
        Scenario("two refreshers and a crash", [.refresh(), .refresh()], .init(crashes: 1)),
        Scenario(
            "a crash and a lost answer under two refreshers of a signer that remembers",
            [.refresh(), .refresh()], .init(crashes: 1, losses: 1)
        ).withMemory,
        Scenario(
            "two publishers and two bundles",
            [push(2, 21), push(3, 31), .bundle("bundle a"), .bundle("bundle b")], .init()),
        Scenario(
            "a restore under two publishers and a bundle",
            [push(2, 21), push(2, 22), .bundle()], .init(restores: 1)),
        Scenario(
            "a restore and a crash under a publisher and a refresher",
            [push(2, 21), .refresh()], .init(crashes: 1, restores: 1)),
        Scenario(
            "a restore and a lost answer under a publisher and a refresher",
            [push(2, 21), .refresh()], .init(losses: 1, restores: 1)),
        Scenario(
            "a restore, a crash and a lost answer under a refresher and a bundle",
            [.refresh(), .bundle()], .init(crashes: 1, losses: 1, restores: 1)),
        Scenario(
            "a lost store, two recoveries and a publisher",
            [
                .recover(Documents.document(1, content: 1), "recover a"),
                .recover(Documents.document(1, content: 1), "recover b"), push(2, 21),
            ], .init(restores: 1), backup: Region()),
        Scenario(
            "a second region that lags",
            [push(2, 21), farPush(3, 31), .bundle("bundle far", readsReplica: true)], .init(),
            hasReplica: true),
        Scenario(
            "a refresher that reads the second region",
            [push(2, 21), .refresh("refresh far", readsReplica: true), .bundle()], .init(),
            hasReplica: true),
    ]

    /// Small ones for what is rare: strangers, failures, documents that expire, runs without
    /// writing.
    static let corners: [Scenario] = [
        Scenario(
            "strangers under a publisher", [push(2, 21)],
            .init(losses: 1, restores: 1, failures: 1, hands: 2, expiries: 1),
            tamperings: Action.Tampering.allCases),
        Scenario(
            "strangers under a refresher", [.refresh()],
            .init(losses: 1, restores: 1, failures: 1, hands: 1, expiries: 1),
            tamperings: Action.Tampering.allCases),
        Scenario(
            "strangers under a bundle", [.bundle()],
            .init(losses: 1, restores: 1, failures: 1, hands: 2, expiries: 1),
            tamperings: Action.Tampering.allCases),
        Scenario(
            "strangers under a publisher and a bundle", [push(2, 21), .bundle()],
            .init(losses: 1, restores: 1, hands: 1),
            tamperings: Action.Tampering.allCases),
        Scenario(
            "the first version", [push(1, 11), push(1, 12), .bundle()],
            .init(crashes: 1, losses: 1), serving: nil),
        Scenario(
            "the first version and a restore to nothing", [push(1, 11), push(2, 21), .bundle()],
            .init(restores: 1), serving: nil),
        Scenario(
            "everything is refused", [push(2, 21), .refresh(), .bundle(), finished(1)],
            .init(failures: 1), refuses: true),
        Scenario(
            "nothing to do", [push(2, 21), .refresh()], .init(failures: 1),
            isDone: { source, _, _ in source.version == 2 }),
        Scenario(
            "two refreshers of a signer that remembers", [.refresh(), .refresh()],
            .init(losses: 1)
        ).withMemory,
        Scenario(
            "without writing",
            [
                .push(
                    Documents.document(2, content: 21), "push", expecting: .init(servedVersion: 1),
                    isDryRun: true), .refresh(isDryRun: true),
                .bundle("bundle", .init(isDryRun: true)), push(2, 22),
            ]),
        Scenario(
            "finished bundles", [push(2, 21), finished(1), finished(2)],
            .init(losses: 2, failures: 1)),
        Scenario(
            "bundles of a workspace that serves nothing",
            [finished(2, isServed: false), finished(3, isServed: false)],
            .init(crashes: 1, losses: 1, failures: 1), serving: nil, isServed: false),
        Scenario(
            "something else under the name of our bundle", [push(2, 21), finished(1)],
            .init(losses: 1, hands: 1), tamperings: [.junkUnderOurBundle, .otherServed]),
    ]

    private var withMemory: Scenario {
        var scenario = self
        scenario.signerRemembers = true
        return scenario
    }

    private static func finished(_ version: Int64, isServed: Bool = true) -> Actor {
        .bundle(
            "bundle \(version)",
            .init(
                finished: Documents.document(version, content: 100 + UInt64(version)),
                isServed: isServed))
    }

    /// Two publishers of one number and a bundle, and nothing goes wrong.
    package static let ends = Scenario(
        "two publishers of one number and a bundle", [push(2, 21), push(2, 22), .bundle()])

    /// A small world in which a mutant shows what it breaks.
    package static func showing(_ mutant: Mutant) -> Scenario {
        let (actors, budget): ([Actor], World.Budget) =
            switch mutant {
            case .blindPut, .readCheckPut, .timedLock, .staleRetry:
                ([push(2, 21), push(3, 31)], .init())
            case .noClaim, .storeMarks, .lateLedger:
                ([push(2, 21), push(2, 22)], .init(restores: 1))
            case .earlyBundle: ([push(2, 21), .bundle()], .init())
            case .versionReadBack: ([push(2, 21)], .init(hands: 1))
            case .hastyFailure: ([push(2, 21)], .init(losses: 1))
            case .staleSource: ([push(2, 21), .refresh()], .init(restores: 1))
            case .ignoredLoss, .versionClaim, .overwritingStore:
                ([push(2, 21), push(2, 22)], .init())
            case .unconfirmedBundle, .forgetfulBundle:
                ([push(2, 21), .bundle()], .init(restores: 1))
            }
        return Scenario(
            mutant.rawValue, actors, budget, tamperings: [.otherServed], mutant: mutant)
    }

    /// The same world without the mutant, in which nothing may be found.
    package var repaired: Scenario {
        var scenario = self
        scenario.mutant = nil
        return scenario
    }
}
