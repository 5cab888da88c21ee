import PublishProtocol
import Testing

/// Every interleaving of a few publishers, with crashes, lost answers and late writes.
@Suite struct InterleavingTests {
    private static let first = ModelWorld.document(1, author: 9)

    private static func world(_ mutant: ModelWorld.Mutant? = nil) -> ModelWorld {
        var world = ModelWorld()
        world.served = first
        world.claims[1] = first
        world.everServed[1] = first.payload
        world.ledger = [.claimed(first, .absent), .swapped(first, .published)]
        world.mutant = mutant
        return world
    }

    private static func push(_ version: Int64, author: Int) -> ModelSearch.Actor {
        let document = ModelWorld.document(version, author: author)
        let plan = Publication.Plan(.push(document, .init()))
        return .init(.publication(Publication(plan)), signer: author)
    }

    private static func rebase(author: Int) -> ModelSearch.Actor {
        .init(.publication(Publication(.init(.rebasing))), signer: author)
    }

    private static func bundle() -> ModelSearch.Actor {
        .init(.bundle(BundleRelease(.init())), signer: 101)
    }

    private static func search(
        _ actors: [ModelSearch.Actor], crashes: Int = 0, losses: Int = 0, restores: Int = 0,
        mutant: ModelWorld.Mutant? = nil, limit: Int = 8_000
    ) -> ModelSearch {
        let world = world(mutant)
        return ModelSearch(
            initial: .init(
                world: world, actors: actors, crashesLeft: crashes, lossesLeft: losses,
                restoresLeft: restores),
            backup: world, limit: limit)
    }

    @Test func `Two publishers of one number and a bundle hold all invariants`() {
        let outcome = Self.search(
            [Self.push(2, author: 1), Self.push(2, author: 2), Self.bundle()], limit: 20_000
        ).run()
        #expect(outcome.violations.isEmpty)
        #expect(outcome.isComplete)
        #expect(outcome.states > 1_000)
        #expect(outcome.verdicts.contains(.published(ModelWorld.document(2, author: 1))))
        #expect(outcome.verdicts.contains(.published(ModelWorld.document(2, author: 2))))
        #expect(outcome.verdicts.contains(.taken(ModelWorld.document(2, author: 1))))
        #expect(outcome.verdicts.contains(.released(ModelWorld.document(1, author: 101))))
        #expect(outcome.verdicts.contains(.released(ModelWorld.document(2, author: 101))))
    }

    @Test func `Two publishers of different numbers hold them with a crash or a lost answer`() {
        for (crashes, losses) in [(1, 0), (0, 1)] {
            let outcome = Self.search(
                [Self.push(2, author: 1), Self.push(3, author: 2)], crashes: crashes,
                losses: losses
            ).run()
            #expect(outcome.violations.isEmpty)
            #expect(outcome.isComplete)
            #expect(outcome.verdicts.contains { if case .lost = $0 { true } else { false } })
        }
    }

    @Test func `One document pushed twice at once is published whatever happens`() {
        let outcome = Self.search(
            [Self.push(2, author: 1), Self.push(2, author: 1)], crashes: 1, losses: 2
        ).run()
        #expect(outcome.violations.isEmpty)
        let others = outcome.verdicts.filter {
            switch $0 {
            case .published, .unchanged: false
            default: true
            }
        }
        #expect(others.isEmpty)
    }

    @Test func `A push and a re-basing run hold them, and the re-basing one gets through`() {
        let outcome = Self.search(
            [Self.push(2, author: 1), Self.rebase(author: 2)], losses: 1
        ).run()
        #expect(outcome.violations.isEmpty)
        #expect(outcome.verdicts.contains(.published(ModelWorld.document(3, author: 2))))
    }

    @Test func `After a restored backup no number gets a second content and bundles are refused`() {
        let pushes = Self.search(
            [Self.push(2, author: 1), Self.push(2, author: 2)], restores: 1
        ).run()
        #expect(pushes.violations.isEmpty)
        #expect(pushes.isComplete)
        let bundle = Self.search([Self.push(2, author: 1), Self.bundle()], restores: 1).run()
        #expect(bundle.violations.isEmpty)
        #expect(bundle.isComplete)
        #expect(bundle.verdicts.contains(.refused([.rolledBack(served: 1, mark: 2)])))
        #expect(bundle.verdicts.contains(.broken(.rolledBack(served: 1, mark: 2))))
    }

    @Test(arguments: [
        ModelWorld.Mutant.blindPut, .claimsOverwrite, .lostClaimGoesOn,
    ])
    func `A store that breaks the contract, or a publisher that does, is found`(
        _ mutant: ModelWorld.Mutant
    ) {
        let outcome = Self.search(
            [Self.push(2, author: 1), Self.push(mutant == .blindPut ? 3 : 2, author: 2)],
            mutant: mutant
        ).run()
        #expect(!outcome.violations.isEmpty)
    }

    @Test func `A bundle for the version that is about to be published is found`() {
        let early = BundleRelease.Plan(
            finished: ModelWorld.document(2, author: 101), isServed: false)
        let outcome = Self.search(
            [Self.push(2, author: 1), .init(.bundle(BundleRelease(early)), signer: 101)]
        ).run()
        #expect(outcome.violations.contains(.bundleBound))
    }

    @Test func `Marks from the store alone let a restored number have two contents`() {
        let outcome = Self.search(
            [Self.push(2, author: 1), Self.push(2, author: 2)], restores: 1, mutant: .noLedger
        ).run()
        #expect(outcome.violations == [.oneContent])
    }
}
