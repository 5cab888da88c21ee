import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import PublishProtocol
import Publishing
import StrictJSON

/// `health [WORKSPACE…|--all]`: what a monitor calls.
enum HealthCommand {
    private static let at = Option(
        "at", ValueReader<HealthTime>.healthTime(), builtIn: "the present time",
        help: "ask the same of that time, such as +3d: is what is served now still good then")

    private static let jobs = Option(
        "jobs", ValueReader<Int64>.decimal("N", in: 1...64), builtIn: "8",
        help: "look at so many workspaces at the same time")

    static let command = Command(
        "health", .reads, summary: "ask whether what devices fetch is good, for a monitor",
        discussion: [
            "Reads what is served, as a device would: without credentials, and nothing else of the"
                + " store. It has to be there, signed by a key of the keyring or of the pins, with"
                + " more than a quarter of its life left. Where there is a ledger, it has to be"
                + " what the ledger knows: not older, and not another content; what a ledger that"
                + " knows others has never heard of is new, and no fault.",
            "Ends with 0 when all of that is so for every workspace, with 64 for a command line that"
                + " it does not take, else with 1; also when it"
                + " cannot be read, or the ledger cannot. What is wrong is told as soon as it is"
                + " found. It writes nothing, anywhere.",
            "--at +D asks whether nobody has to hurry for so long. What is renewed in time passes as far"
                + " ahead as its renewal point minus a quarter of its life: a week with the defaults"
                + " (30d, renewed at 15d), 3d with 14d and 7d; further ahead it fails between two"
                + " renewals.",
            "Run it on another host than the one that renews, with the public address: the host"
                + " that sleeps does not tell that it sleeps.",
        ],
        operands: [WorkspaceSelection.workspaces],
        options: [
            WorkspaceSelection.all, WorkspaceSelection.inventory, at, jobs, SharedOptions.from,
            SharedOptions.keys, SharedOptions.pins, SharedOptions.campaigns, SharedOptions.state,
            SharedOptions.ledger, SharedOptions.workspace, StoreOptions.authorities,
            StoreOptions.allowHTTP, StoreOptions.httpTimeout,
        ],
        examples: [
            .init(
                "grona-publish health --all --from"
                    + " 'https://api.example.com/v1/mobile/workspaces/{workspace}/config'",
                "asks for every workspace, as devices do"),
            .init(
                "grona-publish health acme-market --pins release-pins.json --at +3d",
                "asks whether nobody has to hurry for three days"),
        ]
    ) { context throws(Failure) in
        let time = try (context.call[at] ?? .present).time(after: context.now, context.call)
        let selection: WorkspaceSelection
        let check: HealthCheck
        do throws(Failure) {
            selection = try WorkspaceSelection(
                context, inventory: context.call[WorkspaceSelection.inventory])
            check = try HealthCheck(context, at: time)
        } catch {
            // A monitor asks whether all is well, and has no other answer to its question.
            guard error.status != .usage else { throw error }
            context.console.report(error)
            return .negative
        }
        let crew = Crew(console: context.console, jobs: Int(context.call[jobs] ?? 8))
        let teller = FaultTeller(context.console)
        let wantsJSON = context.wantsJSON
        let tell: @Sendable (HealthResult) -> Void = { result in
            guard !wantsJSON else { return }
            for finding in result.findings { teller.tell(finding, of: result.workspace) }
        }
        var results = crew.each(selection.entries, unit: "workspaces") {
            check.look(at: $0)
        } tell: {
            if !$0.mayBeLate { tell($0) }
        }
        let late = results.indices.filter { results[$0].mayBeLate }
        if !late.isEmpty {
            let again = check.renewed() ?? check
            let names = Set(late.map { results[$0].workspace })
            let entries = selection.entries.filter { names.contains($0.workspace) }
            let second = crew.each(entries, unit: "workspaces") {
                again.look(at: $0)
            } tell: {
                tell($0)
            }
            results = results.filter { !$0.mayBeLate } + second
        }
        for result in check.leftOut(of: selection) {
            tell(result)
            results.append(result)
        }
        teller.end()
        results.sort { $0.workspace < $1.workspace }
        let troubles = selection.problems + (check.ledgerTrouble.map { [$0] } ?? [])
        for trouble in troubles { context.console.report(trouble) }
        let isGood = !results.isEmpty && results.allSatisfy(\.isGood) && troubles.isEmpty
        if context.wantsJSON {
            context.console.json(
                .object([
                    ("store", .string(check.store.name)), ("at", .integer(time.seconds)),
                    ("ok", .boolean(isGood)),
                    (
                        "ledger",
                        check.ledgerTrouble.map {
                            .object([
                                ("code", .string($0.code)), ("message", .string($0.message)),
                            ])
                        } ?? .null
                    ),
                    ("workspaces", .array(results.map { $0.json(at: time) })),
                ]))
        } else {
            show(results, at: time, context)
        }
        guard !results.isEmpty else {
            context.console.announce(
                "no workspace was looked at: none is in --campaigns, or in the inventory")
            return .negative
        }
        return isGood ? .success : .negative
    }

    private static func show(
        _ results: [HealthResult], at time: UnixTime, _ context: CommandContext
    ) {
        var table = Table(["workspace", "state", "version", "kid", "left"], right: [2])
        for result in results {
            let look = result.look
            table.add([
                .init(result.workspace.text),
                .init(result.word, result.isGood ? .good : .bad),
                .init(look?.version.map { String($0) } ?? "-"),
                .init(look?.kid?.text ?? "-"),
                .init(look?.expiresAt.map { DurationWording.short($0.since(time)) } ?? "-"),
            ])
        }
        context.console.write(table.text(style: context.console.style))
    }
}

/// A time that is given as such, or from now on.
enum HealthTime: Sendable, Hashable {
    case present
    case time(UnixTime)
    case after(DurationSeconds)

    func time(after now: UnixTime, _ call: Invocation) throws(Failure) -> UnixTime {
        switch self {
        case .present: return now
        case .time(let time): return time
        case .after(let duration):
            guard let time = now.adding(duration), time <= UnixTime.latest else {
                throw call.usage("at", "--at +\(duration) is after 2100")
            }
            return time
        }
    }
}

extension ValueReader where Value == HealthTime {
    static func healthTime() -> ValueReader<HealthTime> {
        parsing("T", expected: "+ and a duration such as +3d, Unix seconds, or RFC 3339") {
            (text: String) -> HealthTime? in
            if text.utf8.first == UInt8(ascii: "+") {
                return (try? DurationSeconds(parsing: String(text.dropFirst()))).map { .after($0) }
            }
            return (try? UnixTime(text: text)).map { .time($0) }
        }
    }
}
