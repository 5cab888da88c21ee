import Exploration
import Testing

/// Every interleaving of a few publishers, with crashes, lost answers, late writes, strangers and
/// restored stores; `scripts/explore` goes on where these stop.
@Suite struct InterleavingTests {
    /// How many states these tests visit of one scenario.
    private static let limit = 1_500

    @Test(arguments: Scenario.shipped)
    func `The protocol holds every invariant, as far as is looked here`(_ scenario: Scenario) {
        let result = Search(scenario, limit: Self.limit).run()
        #expect(result.violations.isEmpty, "\(result.trace.joined(separator: "\n"))")
        #expect(result.states > 50)
        #expect(!result.isComplete || result.states < Self.limit)
    }

    @Test(arguments: Mutant.allCases)
    func `Each publisher that gets one thing wrong is found, by what it breaks`(_ mutant: Mutant) {
        let scenario = Scenario.showing(mutant)
        let result = Search(scenario, limit: 20_000).run()
        #expect(result.violations.contains(mutant.breaks))
        #expect(result.trace.count > 3)
        #expect(result.trace.count <= result.depth + 1)
    }

    @Test(arguments: Mutant.allCases)
    func `Without its fault the same world shows nothing`(_ mutant: Mutant) {
        let result = Search(Scenario.showing(mutant).repaired, limit: 1_500).run()
        #expect(result.violations.isEmpty)
    }

    @Test func `There are at least a dozen ways to be wrong`() {
        #expect(Mutant.allCases.count >= 12)
        #expect(Set(Mutant.allCases.map(\.rawValue)).count == Mutant.allCases.count)
        #expect(
            Set(Mutant.allCases.map(\.breaks)).isSuperset(of: [
                .servedMonotone, .bundleBound, .oneContent, .readBack,
            ]))
    }

    @Test func `Two publishers of one number and a bundle end in every way that there is`() {
        let result = Search(.ends).run()
        #expect(result.isComplete)
        #expect(result.violations.isEmpty)
        #expect(result.verdicts == ["published", "taken", "released", "refused"])
    }

    @Test func `What is reported is what was searched`() {
        var report = Report()
        let first = Search(.ends, limit: 500).run()
        report.add(first)
        report.add(Search(.showing(.blindPut)).run())
        #expect(report.states > first.states)
        #expect(report.transitions > report.states)
        #expect(report.violations == [.servedMonotone])
        #expect(report.missing.count > 10)
        #expect(report.table.count > report.missing.count)
    }
}
