import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing
import StrictJSON

/// `next-version WORKSPACE`: the lowest number that a new config may bear.
enum NextVersionCommand {
    static let command = Command(
        "next-version", .reads, summary: "tell the next version's number",
        discussion: [
            "It is above everything that was ever claimed, served or bundled, in the store or in"
                + " the ledger, and that nobody else's document stands under."
        ],
        operands: [PublishOptions.workspace],
        options: [
            SharedOptions.from, SharedOptions.keys, SharedOptions.pins, SharedOptions.campaigns,
            SharedOptions.state, SharedOptions.ledger,
        ] + StoreOptions.all
    ) { context throws(Failure) in
        let workspace = try context.call.require(PublishOptions.workspace)
        let store = try context.openStore(try context.from())
        let isServed = try context.policy(workspace).delivery == .served
        let publisher = try context.publisher(store, try context.judge(workspace))
        let survey: Survey
        do throws(PublishingError) { survey = try publisher.survey() } catch {
            throw Failure(error, store: store.name)
        }
        let alarms = survey.alarms(isServed: isServed)
        for alarm in AlarmWording.diagnostics(alarms, file: store.name) {
            context.console.report(alarm)
        }
        let marks = survey.marks
        guard let next = marks.nextVersion else {
            throw Failure(
                RefusalWording.diagnostic(
                    .versionsExhausted(mark: marks.claimed), file: store.name))
        }
        if context.wantsJSON {
            context.console.json(
                .object([
                    ("workspace", .string(workspace.text)),
                    ("next_version", .integer(next)),
                    ("claimed_mark", .integer(marks.claimed)),
                    ("served_mark", .integer(marks.served)),
                    ("served", survey.reading.version.map { .integer($0) } ?? .null),
                    ("store", .string(store.name)),
                ]))
        } else {
            context.console.line(String(next))
        }
        return .success
    }
}
