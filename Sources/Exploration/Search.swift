/// Visits every state of a scenario, nearest first, so that what it finds is found by the shortest
/// way.
package struct Search: Sendable {
    package let scenario: Scenario
    /// How many states at most.
    package let limit: Int
    private let explorer: Explorer

    package init(_ scenario: Scenario, limit: Int = .max) {
        self.scenario = scenario
        self.limit = limit
        explorer = Explorer(scenario: scenario)
    }

    /// What a search came to.
    package struct Result: Sendable {
        package let scenario: String
        package var states = 0
        package var transitions = 0
        package var depth = 0
        /// Whether every state was visited.
        package var isComplete = true
        package var violations: Set<Invariant> = []
        package var verdicts: Set<String> = []
        /// How the first violation comes about, a line a step.
        package var trace: [String] = []
        var coverage = Coverage()
    }

    /// Where a state came from: the index of the one before, and what happened.
    private struct Origin {
        let parent: UInt32
        let action: Action
    }

    /// Searches; the mutant's own violation, or any where there is no mutant, ends it.
    package func run() -> Result {
        var result = Result(scenario: scenario.name)
        var findings = Findings()
        var fingerprint = Fingerprint()
        var seen: Set<UInt128> = []
        var origins = [Origin(parent: 0, action: .restore)]
        var level = [(state: explorer.initial, index: 0 as UInt32)]
        fingerprint.take(explorer.initial)
        seen.insert(fingerprint.value)
        while !level.isEmpty {
            var next: [(state: State, index: UInt32)] = []
            for (state, index) in level {
                for action in explorer.actions(in: state) {
                    guard let successor = explorer.successor(state, action, &findings) else {
                        continue
                    }
                    result.transitions += 1
                    let isFound = isFound(findings.violations)
                    fingerprint.take(successor)
                    if seen.insert(fingerprint.value).inserted || isFound {
                        origins.append(Origin(parent: index, action: action))
                        next.append((successor, UInt32(origins.count - 1)))
                    }
                    if isFound || seen.count >= limit {
                        result.isComplete = false
                        if isFound { result.trace = trace(to: origins.count - 1, origins) }
                        return finished(result, findings, seen.count)
                    }
                }
            }
            result.depth += 1
            level = next
        }
        return finished(result, findings, seen.count)
    }

    private func isFound(_ violations: Set<Invariant>) -> Bool {
        guard let mutant = scenario.mutant else { return !violations.isEmpty }
        return violations.contains(mutant.breaks)
    }

    private func finished(_ result: Result, _ findings: Findings, _ states: Int) -> Result {
        var result = result
        result.states = states
        result.violations = findings.violations
        result.verdicts = findings.verdicts
        result.coverage = findings.coverage
        return result
    }

    /// Goes the way again, and says what happens.
    private func trace(to last: Int, _ origins: [Origin]) -> [String] {
        var actions: [Action] = []
        var index = last
        while index != 0 {
            actions.insert(origins[index].action, at: 0)
            index = Int(origins[index].parent)
        }
        var state = explorer.initial
        var findings = Findings()
        var lines: [String] = []
        for action in actions {
            guard let next = explorer.successor(state, action, &findings) else { break }
            lines.append(explorer.story(action, from: state, to: next))
            state = next
        }
        return lines
    }
}
