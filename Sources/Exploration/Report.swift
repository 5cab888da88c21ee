/// What all searches together came to, as text.
package struct Report: Sendable {
    package private(set) var results: [Search.Result] = []
    private var coverage = Coverage()

    package init() {}

    package mutating func add(_ result: Search.Result) {
        results.append(result)
        coverage.add(result.coverage)
    }

    package var states: Int { results.reduce(0) { $0 + $1.states } }
    package var transitions: Int { results.reduce(0) { $0 + $1.transitions } }
    package var violations: Set<Invariant> {
        results.reduce(into: []) { $0.formUnion($1.violations) }
    }

    /// Transitions of the machines that no search has taken.
    package var missing: [String] {
        coverage.rows.filter { $0.count == 0 && Self.reason($0) == nil }.map(Self.name)
    }

    /// A line for each transition: how often it was taken, or why it cannot be.
    package var table: [String] {
        coverage.rows.map { row in
            let count = row.count == 0 ? "-" : String(row.count)
            let reason = row.count == 0 ? Self.reason(row).map { "  \($0)" } ?? "  never" : ""
            return Self.padded(Self.name(row), 58) + Self.padded(count, -12) + reason
        }
    }

    private static func name(_ row: Coverage.Row) -> String {
        padded(row.machine, 13) + padded(row.station.rawValue, 24) + row.outcome.rawValue
    }

    /// Why a transition cannot be taken.
    private static func reason(_ row: Coverage.Row) -> String? {
        switch (row.machine, row.station, row.outcome) {
        case ("bundle", .readingBundle, .sameNumber):
            "a bundle's name bears 64 bits of its content's digest"
        default: nil
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        let missing = max(0, abs(width) - text.utf8.count)
        let blanks = String(repeating: " ", count: missing)
        return width < 0 ? blanks + text : text + blanks
    }
}

extension Scenario {
    /// All searches of the shipped protocol.
    package static var shipped: [Scenario] { corners + main }
}
