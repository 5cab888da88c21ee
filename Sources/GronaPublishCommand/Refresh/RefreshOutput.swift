import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing
import StrictJSON

/// Shows a run: what is due and why, how long everyone may sleep, what came of it.
struct RefreshOutput {
    private let context: CommandContext
    private let outcome: RefreshOutcome
    private let store: String

    init(_ context: CommandContext, _ outcome: RefreshOutcome, store: String) {
        self.context = context
        self.outcome = outcome
        self.store = store
    }

    // MARK: While it runs

    /// Tells on standard error what is, or was, wrong with a workspace.
    static func tell(_ line: RefreshLine, _ teller: FaultTeller) {
        if let trouble = line.trouble, trouble.code != RefreshWording.stopped.code {
            teller.tell(trouble, of: line.workspace)
            if let waiting = line.waiting, let finding = KillWording.waits(waiting, of: line) {
                teller.tell(finding, of: line.workspace)
            }
        }
        for finding in line.findings { teller.tell(finding, of: line.workspace) }
        if !line.switchedOff.isEmpty {
            teller.tell(KillWording.finished(line), of: line.workspace)
        }
    }

    /// That the ledger was lost, once for all of which it knows nothing.
    static func tellEmptyLedger(_ lines: [RefreshLine], _ store: String, _ console: Console) {
        let unknown = lines.filter { $0.look?.isLedgerEmpty ?? false }.map(\.workspace).sorted()
        if let warning = LedgerWording.warning(unknown, store: store) { console.report(warning) }
    }

    /// That the run was asked to end, once for all that it did not begin.
    static func tellStop(_ outcome: RefreshOutcome, _ console: Console) {
        guard outcome.notBegun > 0 else { return }
        var stop = RefreshWording.stopped
        stop.message =
            "\(outcome.notBegun) of \(Self.workspaces(outcome.lines.count)) \(stop.message)"
        console.report(stop)
    }

    /// What the signer said, where something failed.
    static func tell(
        _ signer: SignerSession, _ outcome: RefreshOutcome, _ context: CommandContext
    ) {
        guard !signer.said.isEmpty, !context.wantsJSON, !context.console.preferences.quiet,
            outcome.lines.contains(where: { $0.trouble != nil })
        else { return }
        for line in signer.said.split(whereSeparator: \.isNewline) {
            context.console.send(error: DisplayText.escaped(String(line)) + "\n")
        }
    }

    // MARK: The end

    /// What would be done, and when the rest is due.
    func plan() {
        guard !context.wantsJSON else {
            var lines = outcome.lines
            for index in lines.indices where lines[index].isDue && lines[index].trouble == nil {
                lines[index].result = .wouldRenew
            }
            return json(lines)
        }
        let teller = FaultTeller(context.console)
        for line in outcome.lines { Self.tell(line, teller) }
        teller.end()
        var table = Table(["workspace", "due", "why", "left", "ends"])
        for line in byDeadline {
            let left = line.freshness.map { DurationWording.short($0.left(at: context.now)) } ?? "-"
            table.add([
                .init(line.workspace.text),
                due(line), .init(why(line)), .init(left),
                .init(line.freshness.map { "\($0.expiresAt)" } ?? "-"),
            ])
        }
        context.console.write(table.text(style: context.console.style))
        context.console.line(
            "\(outcome.due) of \(Self.workspaces(outcome.lines.count)) in \(store)"
                + " \(outcome.due == 1 ? "is" : "are") due")
    }

    private func due(_ line: RefreshLine) -> Table.Cell {
        if line.trouble != nil { return .init("unreadable", .bad) }
        if line.isDue { return .init("now", .caution) }
        return .init(line.freshness.map { "\($0.dueAt)" } ?? "-")
    }

    private func why(_ line: RefreshLine) -> String {
        if let trouble = line.trouble { return trouble.code }
        return switch line.reason {
        case nil: line.result == .new ? "new: nothing was ever served" : ""
        case "life": "the renewal point is past"
        case "key": "its key is not current any more"
        case RefreshLine.kill:
            "a kill waits: it switches off"
                + " \((line.waiting?.switchesOff ?? []).joined(separator: ", "))"
        case RefreshLine.kept:
            "version \(line.waiting?.facts.version ?? 0) was signed and is not published"
        case let reason?: reason
        }
    }

    private var byDeadline: [RefreshLine] {
        outcome.lines.sorted {
            $0.deadline == $1.deadline ? $0.workspace < $1.workspace : $0.deadline < $1.deadline
        }
    }

    /// What how long everyone may be asleep is counted from.
    private struct Basis {
        let lifetime: Int64
        let budget: ExpiryBudget
        /// Whether it is the policy's word alone, since nothing is served yet.
        let isPlanned: Bool

        init?(_ line: RefreshLine, timerPeriod: Int64) {
            guard let order = line.order else { return nil }
            let pause: Int64
            if let fresh = line.freshness, let served = line.look?.fetchPause {
                lifetime = fresh.expiresAt.since(fresh.issuedAt).seconds
                pause = served
                isPlanned = false
            } else {
                guard line.trouble == nil, line.look?.condition == .new,
                    let declared = order.policy.ttlSeconds
                else { return nil }
                lifetime = order.policy.lifetimes.config.seconds
                pause = declared
                isPlanned = true
            }
            budget = order.budget(
                lifetime: lifetime, fetchPause: pause, timerPeriod: timerPeriod)
        }

        /// What is to be said of it.
        var remark: String {
            var words: [String] = []
            if !budget.isOperable {
                words.append(
                    "too short: asleep \(DurationWording.short(budget.asleepNeeded)) is needed,"
                        + " renewed at \(DurationWording.short(budget.needed))")
            }
            if budget.renewalPoint >= lifetime { words.append("due in every run") }
            if isPlanned { words.append("not served yet: by its policy") }
            return words.joined(separator: "; ")
        }
    }

    /// The budget of each workspace, as arithmetic.
    func explain(timerPeriod: Int64) {
        guard !context.wantsJSON else {
            return json(outcome.lines) { line in
                Basis(line, timerPeriod: timerPeriod).map { basis in
                    let budget = basis.budget
                    return .object([
                        ("lifetime", .integer(basis.lifetime)),
                        ("renewal_point", .integer(budget.renewalPoint)),
                        ("timer_period", .integer(budget.timerPeriod)),
                        ("cache_age", .integer(budget.cacheAge)),
                        ("fetch_pause", .integer(budget.fetchPause)),
                        ("asleep", .integer(budget.asleep)),
                        ("asleep_needed", .integer(budget.asleepNeeded)),
                        ("needed", .integer(budget.needed)),
                        ("operable", .boolean(budget.isOperable)),
                        ("planned", .boolean(basis.isPlanned)),
                    ])
                } ?? .null
            }
        }
        func text(_ seconds: Int64) -> String { DurationWording.short(seconds) }
        var table = Table(
            ["workspace", "lifetime", "renewed at", "timer", "cache", "device", "asleep", ""])
        var short = 0
        for line in byDeadline {
            guard let basis = Basis(line, timerPeriod: timerPeriod) else {
                table.add([
                    .init(line.workspace.text), .init("-"), .init("-"), .init("-"), .init("-"),
                    .init("-"), .init("-"),
                    .init(line.trouble?.code ?? line.look?.condition.rawValue ?? "", .bad),
                ])
                continue
            }
            let budget = basis.budget
            if !budget.isOperable { short += 1 }
            table.add([
                .init(line.workspace.text), .init(text(basis.lifetime)),
                .init(text(budget.renewalPoint)), .init(text(budget.timerPeriod)),
                .init(text(budget.cacheAge)), .init(text(budget.fetchPause)),
                .init(text(budget.asleep), budget.isOperable ? .good : .bad),
                .init(basis.remark),
            ])
        }
        context.console.write(table.text(style: context.console.style))
        context.console.line(
            "asleep = renewed at - timer - cache - device: from the first run that fails until the"
                + " first device goes dark; the jitter, which renews earlier, is not counted")
        guard short > 0 else { return }
        context.console.note(
            "\(short == 1 ? "one is" : "\(short) are") too short: 'grona-sign check' says which"
                + " member of workspace.json to set to what")
    }

    /// One line about the run.
    func summary() {
        guard !context.wantsJSON else { return json(outcome.lines) }
        let failed = outcome.lines.count { $0.trouble != nil }
        var words = [
            "\(Self.workspaces(outcome.lines.count)) in \(store)", "\(outcome.due) due",
            "\(outcome.count(.renewed)) renewed",
        ]
        if outcome.count(.unchanged) > 0 { words.append("\(outcome.count(.unchanged)) unchanged") }
        if outcome.count(.new) > 0 { words.append("\(outcome.count(.new)) new") }
        if failed > 0 { words.append("\(failed) need\(failed == 1 ? "s" : "") a hand") }
        if let first = outcome.nextToExpire, let fresh = first.freshness {
            words.append(
                "\(first.workspace) ends first, in \(DurationWording.short(fresh.left(at: context.now)))"
            )
        }
        context.console.line(words.joined(separator: ", "))
    }

    private static func workspaces(_ count: Int) -> String {
        StatusWords.count(count, "workspace")
    }

    private func json(
        _ lines: [RefreshLine], budget: ((RefreshLine) -> JSONValue)? = nil
    ) {
        context.console.json(
            .object([
                ("store", .string(store)),
                (
                    "workspaces",
                    .array(
                        lines.map { line in
                            guard let budget, case .object(let members) = line.json else {
                                return line.json
                            }
                            return .object(members + [("budget", budget(line))])
                        })
                ),
            ]))
    }
}
