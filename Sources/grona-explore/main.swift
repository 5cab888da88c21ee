import CommandLineKit
import Exploration
import LinuxIO

// grona-explore [--states N] [--only TEXT] [--table]
//
// Searches every interleaving of the machines that publish, over the scenarios of the shipped
// protocol and then over each mutant. Ends with 0 only when nothing breaks an invariant, every
// transition of the machines was taken, and every mutant was found by what it breaks. --states cuts
// each search off, --only takes the scenarios whose name has TEXT; then only violations count.
// Not installed.

let leastStates = 1_000_000

func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: " ", count: max(0, width - text.utf8.count)) + text
}

func seconds(since start: UInt64) -> String {
    let tenths = (SystemClock.monotonicNanoseconds() - start) / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
}

/// Runs searches on as many threads as there are, and answers them in their order.
func run(_ scenarios: [Scenario], limit: Int) async -> [Search.Result] {
    await withTaskGroup(of: (Int, Search.Result).self) { group in
        for (index, scenario) in scenarios.enumerated() {
            group.addTask { (index, Search(scenario, limit: limit).run()) }
        }
        var results: [(Int, Search.Result)] = []
        for await result in group { results.append(result) }
        return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

func show(_ result: Search.Result) {
    print(
        "\(padded(result.states, 9)) states \(padded(result.transitions, 9)) transitions"
            + " depth \(padded(result.depth, 3))  \(result.scenario)"
            + (result.isComplete ? "" : " (not all)"))
}

func tell(_ result: Search.Result) {
    print("  breaks " + result.violations.map(\.rawValue).sorted().joined(separator: ", "))
    for line in result.trace { print("    \(line)") }
}

var limit = Int.max
var only: String?
var showsTable = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--states": limit = arguments.popFirst().flatMap { Int($0) } ?? 0
    case "--only": only = arguments.popFirst()
    case "--table": showsTable = true
    default:
        print("grona-explore: unknown option \(argument)")
        limit = 0
    }
}

let start = SystemClock.monotonicNanoseconds()
var problems = limit == 0 ? 1 : 0
let scenarios = Scenario.shipped.filter { scenario in only.map(scenario.name.contains) ?? true }
var report = Report()
for result in await run(scenarios, limit: limit) {
    report.add(result)
    show(result)
    guard !result.violations.isEmpty else { continue }
    problems += 1
    tell(result)
}

var found = 0
for (mutant, result) in zip(
    Mutant.allCases, await run(Mutant.allCases.map(Scenario.showing), limit: 200_000))
{
    show(result)
    if result.violations.contains(mutant.breaks) {
        found += 1
        print("  found by \(mutant.breaks.rawValue), in \(result.trace.count) steps")
    } else {
        problems += 1
        print("  NOT FOUND: it should break \(mutant.breaks.rawValue)")
        tell(result)
    }
}

if showsTable { for line in report.table { print(line) } }
if limit == .max, only == nil {
    for transition in report.missing {
        problems += 1
        print("never taken: \(transition)")
    }
    if report.states < leastStates {
        problems += 1
        print("fewer than \(leastStates) states")
    }
}
print(
    "explored \(report.states) states and \(report.transitions) transitions,"
        + " found \(found) of \(Mutant.allCases.count) mutants, \(problems) problems,"
        + " in \(seconds(since: start))")
ProcessExit.exit(problems == 0 ? .success : .negative)
