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
        let named = context.call.all(PublishOptions.workspaces)
        var lines: [StatusLine] = []
        if named.isEmpty {
            for workspace in try known(store, context) {
                do throws(Failure) {
                    lines.append(.known(try status(of: workspace, store, context)))
                } catch {
                    lines.append(.unknown(workspace, error.reason))
                }
            }
        } else {
            for workspace in named {
                lines.append(.known(try status(of: workspace, store, context)))
            }
        }
        if context.wantsJSON {
            context.console.json(
                .object([
                    ("store", .string(store.name)), ("workspaces", .array(lines.map(\.json))),
                ]))
        } else {
            show(lines, store.name, context)
        }
        return lines.contains(where: \.needsAHand) ? .negative : .success
    }

    /// The workspaces in the store, and those that the ledger saw there.
    private static func known(
        _ store: FileStore, _ context: CommandContext
    ) throws(Failure) -> [WorkspaceName] {
        var names: Set<WorkspaceName> = []
        do throws(StoreError) { names.formUnion(try store.workspaces()) } catch {
            throw Failure(error, store: store.name)
        }
        let ledger = try LedgerPlace.open(context, of: store)
        do throws(PublicationLedgerError) { names.formUnion(try ledger.workspaces()) } catch {
            throw Failure(error)
        }
        return names.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    }

    private static func status(
        of workspace: WorkspaceName, _ store: FileStore, _ context: CommandContext
    ) throws(Failure) -> WorkspaceStatus {
        let isServed = try context.policy(workspace).delivery == .served
        let publisher = try context.publisher(store, try context.judge(workspace))
        do throws(PublishingError) {
            return try WorkspaceStatus(publisher, isServed: isServed, now: context.now)
        } catch {
            throw Failure(error, store: store.name)
        }
    }

    private static func show(_ lines: [StatusLine], _ store: String, _ context: CommandContext) {
        guard !lines.isEmpty else {
            context.console.line("nothing is published in \(store)")
            return
        }
        context.console.line("store \(store)")
        var table = Table(
            ["workspace", "version", "next", "state", "expires", "left", "key", "bundles"],
            right: [1, 2, 7])
        for line in lines { table.add(cells(line, context)) }
        context.console.write(table.text(style: context.console.style))
        for line in lines {
            for message in line.messages {
                context.console.line("! \(line.workspace): \(message)")
            }
        }
    }

    private static func cells(_ line: StatusLine, _ context: CommandContext) -> [Table.Cell] {
        guard case .known(let status) = line else {
            return [.init(line.workspace.text), .init("-"), .init("-"), .init(line.state, .bad)]
                + [String](repeating: "-", count: 4).map { .init($0) }
        }
        let payload = status.survey.document?.payload
        return [
            .init(status.workspace.text),
            .init(status.survey.reading.version.map { String($0) } ?? "-"),
            .init(status.survey.marks.nextVersion.map { String($0) } ?? "-"),
            .init(line.state, line.needsAHand ? .bad : .good),
            .init(payload?.expiresAt.description ?? "-"),
            .init(payload.map { left($0.expiresAt.since(context.now)) } ?? "-"),
            .init(status.survey.document?.kid?.text ?? "-"),
            .init(String(status.bundles.count)),
        ]
    }

    /// Days and hours; people plan by those.
    private static func left(_ duration: DurationSeconds) -> String {
        guard duration.seconds > 0 else { return "none" }
        let hours = duration.seconds / 3_600
        return hours >= 48 ? "\(hours / 24) d" : hours >= 1 ? "\(hours) h" : "\(duration.seconds) s"
    }
}
