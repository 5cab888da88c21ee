import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing
import StrictJSON

/// `status [WORKSPACE…]`: what is served, and what needs a hand.
enum StatusCommand {
    static let command = Command(
        "status", .reads, summary: "show what is served, and what needs a hand",
        discussion: [
            "Ends with 1 when something needs a hand: a copy that is missing, not ours, expired,"
                + " below a quarter of its life or older than what was served before, or"
                + " something in the store that none of our keys signed."
        ],
        operands: [PublishOptions.workspaces],
        options: [
            SharedOptions.from, SharedOptions.keys, SharedOptions.pins, SharedOptions.campaigns,
            SharedOptions.state, SharedOptions.ledger,
        ]
    ) { context throws(Failure) in
        let store = try context.openStore(try context.from())
        var workspaces = context.call.all(PublishOptions.workspaces)
        if workspaces.isEmpty {
            do throws(StoreError) { workspaces = try store.workspaces() } catch {
                throw Failure(error, store: store.name)
            }
        }
        var statuses: [WorkspaceStatus] = []
        for workspace in workspaces {
            let isServed = try context.policy(workspace).delivery == .served
            let publisher = try context.publisher(store, try context.judge(workspace))
            do throws(PublishingError) {
                statuses.append(
                    try WorkspaceStatus(publisher, isServed: isServed, now: context.now))
            } catch {
                throw Failure(error, store: store.name)
            }
        }
        if context.wantsJSON {
            context.console.json(
                .object([
                    ("store", .string(store.name)),
                    ("workspaces", .array(statuses.map(\.json))),
                ]))
        } else {
            show(statuses, store.name, context)
        }
        return statuses.contains(where: \.needsAHand) ? .negative : .success
    }

    private static func show(
        _ statuses: [WorkspaceStatus], _ store: String, _ context: CommandContext
    ) {
        guard !statuses.isEmpty else {
            context.console.line("nothing is published in \(store)")
            return
        }
        context.console.line("store \(store)")
        var table = Table(
            ["workspace", "version", "next", "state", "expires", "left", "key", "bundles"],
            right: [1, 2, 7])
        for status in statuses {
            let payload = status.survey.document?.payload
            table.add([
                .init(status.workspace.text),
                .init(status.survey.reading.version.map { String($0) } ?? "-"),
                .init(String(status.survey.marks.nextVersion)),
                .init(status.state.rawValue, status.needsAHand ? .bad : .good),
                .init(payload?.expiresAt.description ?? "-"),
                .init(payload.map { left($0.expiresAt.since(context.now)) } ?? "-"),
                .init(status.survey.document?.kid?.text ?? "-"),
                .init(String(status.bundles.count)),
            ])
        }
        context.console.write(table.text(style: context.console.style))
        for status in statuses where !status.alarms.isEmpty {
            for alarm in status.survey.alarms where status.alarms.contains(alarm.code) {
                context.console.line("! \(status.workspace): \(AlarmWording.message(alarm))")
            }
            if status.state == .expiring {
                context.console.line(
                    "! \(status.workspace): less than a quarter of its life is left")
            }
        }
    }

    /// Days and hours; people plan by those.
    private static func left(_ duration: DurationSeconds) -> String {
        guard duration.seconds > 0 else { return "none" }
        let hours = duration.seconds / 3_600
        return hours >= 48 ? "\(hours / 24) d" : hours >= 1 ? "\(hours) h" : "\(duration.seconds) s"
    }
}
