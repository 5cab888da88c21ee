import CommandLineKit
import GronaFormats
import Publishing

/// A whole run: its lines, and with what it ends.
struct RefreshOutcome {
    static let unpublishedNewer = "unpublished.newer"

    var lines: [RefreshLine] = []
    /// What went wrong beside the workspaces, such as metrics that could not be written.
    var troubles: [Diagnostic] = []
    /// The head of the signer's audit log of each workspace, as its answers in this run had it.
    var auditHeads: [WorkspaceName: String] = [:]
    /// The code of what ended the run before it had done what it could.
    var stop: String?

    /// Adds what a part of the run found, by name.
    mutating func add(_ more: [RefreshLine]) {
        lines = (lines + more).sorted { $0.workspace < $1.workspace }
    }

    /// The first that applies; a timer's alert names it.
    func exit(at now: UnixTime) -> ExitStatus {
        let exits = lines.compactMap { $0.trouble?.exit }
        if exits.contains(.fault) { return .fault }
        let isBad = lines.contains { $0.look?.condition.isBad ?? false }
        if isBad || exits.contains(.otherSide) { return .otherSide }
        if (exits + troubles.map(\.exit)).contains(.configuration) { return .configuration }
        if exits.contains(.notAllowed) { return .notAllowed }
        let isStuck = lines.contains { $0.isHeldUp || $0.needsAPerson }
        if isStuck || lines.contains(where: { $0.isLate(at: now) }) {
            return .negative
        }
        let failed = lines.filter { $0.trouble != nil }
        if !lines.isEmpty, failed.count == lines.count,
            lines.allSatisfy({ $0.look == nil }),
            notBegun == 0
        {
            return .unavailable
        }
        return failed.isEmpty && troubles.isEmpty ? .success : .tryAgain
    }

    /// Whether all was renewed that could be: what is left waits for a person, each for reasons of
    /// its own. Where nothing but such is there, it is no matter of one workspace.
    var isDone: Bool {
        guard stop == nil, troubles.isEmpty else { return false }
        let stuck = lines.filter { $0.trouble != nil }
        guard stuck.allSatisfy({ $0.isHeldUp || $0.isUnusable }) else { return false }
        return stuck.count < lines.count || stuck.allSatisfy(\.isHeldUp)
    }

    /// How many lines failed, by code, and what stopped the run.
    var failures: [(code: String, count: Int)] {
        var counts: [String: Int] = [:]
        for trouble in lines.compactMap(\.trouble) + troubles {
            counts[trouble.code, default: 0] += 1
        }
        return counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { ($0.key, $0.value) }
    }

    /// The one that ends first.
    var nextToExpire: RefreshLine? {
        lines.filter { $0.freshness != nil }.min { $0.deadline < $1.deadline }
    }

    func count(_ result: RefreshLine.Result) -> Int { lines.count { $0.result == result } }

    /// Those that were not begun, since the run was asked to end.
    var notBegun: Int { lines.count { $0.trouble?.code == RefreshWording.stopped.code } }

    var due: Int { lines.count(where: \.isDue) }
}
