import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing
import StrictJSON

/// `kill WORKSPACE CAMPAIGN…`: the fast way on the worst day.
enum KillCommand {
    private static let campaigns = Operand(
        ValueReader<Identifier>.identifier("CAMPAIGN"), .many(minimum: 1),
        help: "the campaigns to switch off")
    private static let alsoWrite = Option(
        "also-write", ValueReader<FilePath>.file(), repeats: true,
        help: "write the config there too, as for the process that gives out grants")
    private static let issuanceLog = Option(
        "issuance-log", ValueReader<FilePath>.file(), repeats: true,
        help: "a log of issued grants, or a folder of them, in place of those below the state"
            + " folder")

    static let command = Command(
        "kill", .acts, summary: "switch campaigns off where devices fetch them",
        discussion: [
            "What is served is read, signed anew by the signer with the campaigns off, published"
                + " and read back; where another publisher is faster, from the beginning, at most"
                + " five times. No check is left out, and a campaign that is off already is done.",
            "Devices see it when they fetch next. Grants that are in shoppers' hands can be spent"
                + " until they expire: how many there are, and until when, is told for each offer.",
        ],
        operands: [PublishOptions.workspace, campaigns],
        options: [alsoWrite, issuanceLog] + ChangeRun.options,
        examples: [
            .init("grona-publish kill acme-market weekend-offer", "switches an offer off"),
            .init(
                "grona-publish kill acme-market weekend-offer --also-write /srv/grants/acme.json",
                "and has no further grants given out for it"),
        ]
    ) { context throws(Failure) in
        let start = SystemClock.monotonicNanoseconds()
        let workspace = try context.call.require(PublishOptions.workspace)
        var ids: [String] = []
        for id in context.call.all(campaigns).map(\.text) where !ids.contains(id) { ids.append(id) }
        var run = try ChangeRun(context, workspace, for: .urgent)
        run.campaigns = ids
        let change = ContentChange.kill(ids)
        let output = try run.publish(change)
        let killed = (SystemClock.monotonicNanoseconds() - start) / 1_000_000
        var end = KillEnd(
            output: output, change: change, ids: ids, logs: try logs(context, workspace))
        end.write(to: context.call.all(alsoWrite))
        run.waitForEdges(output)
        return try end.show(after: killed, run)
    }

    /// The logs that are named, or those below the state folder that the signer's keyring has.
    private static func logs(
        _ context: CommandContext, _ workspace: WorkspaceName
    ) throws(Failure) -> IssuanceLogs {
        let named = context.call.all(issuanceLog)
        guard named.isEmpty else { return IssuanceLogs(named) }
        let keyring = try context.keyring(workspace).keyring
        return IssuanceLogs(
            [StateFolder(try context.stateFolder()).keyring(keyring.id).issuance], areNamed: false)
    }
}

/// What follows a kill: copies, the grants that are left, and the answer.
private struct KillEnd {
    let output: ChangeOutput
    let change: ContentChange
    let ids: [String]
    let logs: IssuanceLogs
    private var written: [String] = []
    private var problems: [Diagnostic] = []

    private var context: CommandContext { output.context }

    init(output: ChangeOutput, change: ContentChange, ids: [String], logs: IssuanceLogs) {
        self.output = output
        self.change = change
        self.ids = ids
        self.logs = logs
    }

    /// What cannot be written is told at the end: the campaigns are off all the same.
    mutating func write(to paths: [FilePath]) {
        guard output.isDone,
            let bytes = output.report.document?.bytes ?? output.report.after?.bytes
        else { return }
        for path in paths {
            do throws(Failure) {
                let file = try DocumentOutput(path, replacing: true, console: context.console)
                try file.commit(bytes)
                written.append(path.description)
            } catch {
                problems.append(error.reason)
            }
        }
    }

    /// The offers among the campaigns, in the order in which they were named.
    private var offers: [String] {
        guard let payload = (output.report.reference ?? output.report.before)?.payload else {
            return []
        }
        return ids.filter { payload.campaign($0)?.kind == .offer }
    }

    func show(after milliseconds: UInt64, _ run: ChangeRun) throws(Failure) -> ExitStatus {
        let offers = offers
        let reading = logs.read(offers, of: output.workspace, now: context.now)
        let bounds = offers.map { GrantExposure.bound($0, policy: run.policy, now: context.now) }
        let exposures =
            reading.files == 0
            ? bounds
            : reading.isWhole
                ? reading.exposures
                : zip(reading.exposures, bounds).map { $0.atLeast(until: $1.until) }
        if context.wantsJSON {
            var more: [(String, JSONValue)] = [
                ("campaigns", .array(ids.map { .string($0) })),
                ("grants", .array(exposures.map(json))),
                ("written", .array(written.map { .string($0) })),
                ("milliseconds", .integer(Int64(clamping: milliseconds))),
            ]
            if !output.isDone, !context.isDryRun, let payload = output.report.after?.payload {
                let on = ids.filter { payload.campaign($0)?.isEnabled == true }
                more.append(("still_on", .array(on.map { .string($0) })))
            }
            if let edges = run.edges { more.append(("visible", edges.json)) }
            if let first = (problems + run.late).first {
                more.append(("code", .string(first.code)))
            }
            context.console.json(output.json(more))
        } else {
            output.showDifference(
                to: output.report.reference?.payload.flatMap { change.preview(of: $0) })
            context.console.line(line(milliseconds))
            for path in written { context.console.line("written to \(path)") }
            run.showEdges()
            for exposure in exposures { context.console.line(words(exposure)) }
            if output.isDone {
                context.console.note(
                    "set 'enabled' to false in the campaign's file too: a config made of a file that"
                        + " says otherwise is refused")
            }
        }
        for (path, error) in reading.unreadable {
            var warning = Failure(reading: error).reason
            warning.severity = .warning
            warning.file = warning.file ?? path.description
            context.console.report(warning)
        }
        for (path, count) in reading.unclear {
            context.console.report(
                .warning(
                    code: "issuance.unclear",
                    message: "\(count) lines of the log of issued grants cannot be read: there may"
                        + " be more grants than are counted",
                    file: path.description, help: "look at the log"))
        }
        return try run.end(output, problems: problems)
    }

    private func line(_ milliseconds: UInt64) -> String {
        let what = ids.joined(separator: ", ")
        let areOff = ids.count == 1 ? "is off" : "are off"
        let version = output.version.map { String($0) } ?? "?"
        return switch output.report.verdict {
        case .unchanged:
            "\(what) of \(output.workspace) \(areOff) already, in version \(version) that"
                + " \(output.store) serves"
        case .wouldPublish:
            "\(what) of \(output.workspace) would be off in version \(version), in \(output.store)"
        default:
            "\(what) of \(output.workspace) \(areOff) in version \(version), which \(output.store)"
                + " serves, after \(EdgeRun.seconds(milliseconds)) s"
        }
    }

    private func words(_ exposure: GrantExposure) -> String {
        switch (exposure.unexpired, exposure.until) {
        case (let count?, let until?) where exposure.isAtLeast:
            "\(exposure.campaign): at least \(count) issued grants are unexpired, and not every log"
                + " can be read; grants can be spent until \(until) at the latest, if none is given"
                + " out from now on"
        case (0?, _): "\(exposure.campaign): no grant that was issued is unexpired"
        case (1?, let until?):
            "\(exposure.campaign): 1 issued grant is unexpired, until \(until)"
        case (let count?, let until?):
            "\(exposure.campaign): \(count) issued grants are unexpired, the last until \(until)"
        case (_, let until?):
            "\(exposure.campaign): no issuance log can be read; grants can be spent until \(until)"
                + " at the latest, if none is given out from now on"
        case (_, nil): "\(exposure.campaign): no issuance log can be read"
        }
    }

    private func json(_ exposure: GrantExposure) -> JSONValue {
        .object([
            ("campaign", .string(exposure.campaign)),
            ("unexpired", exposure.unexpired.map { .integer(Int64($0)) } ?? .null),
            ("until", exposure.until.map { .integer($0.seconds) } ?? .null),
            ("at_least", .boolean(exposure.isAtLeast)),
        ])
    }
}
