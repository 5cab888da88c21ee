import CommandLineKit
import GronaFormats
import PublishProtocol
import Publishing

/// The words for a kill that is not done: that the campaigns are still on, and what waits.
enum KillWording {
    /// Of a refresh that could not finish it.
    static func waits(_ waiting: WaitingVersion, of line: RefreshLine) -> Diagnostic? {
        guard !waiting.switchesOff.isEmpty else { return nil }
        return Diagnostic(
            code: "kill.not-done",
            message: "\(on(waiting.switchesOff)) in version \(line.look?.version ?? 0), which is"
                + " served",
            help: "version \(waiting.facts.version), which switches off what was to be killed, is"
                + " signed and waits: once the rest is mended, the next refresh publishes it, where the"
                + " signer stands by it still",
            exit: .negative)
    }

    /// Of a refresh that finished it.
    static func finished(_ line: RefreshLine) -> Diagnostic {
        .warning(
            code: "kill.finished",
            message: "finished a kill of \(list(line.switchedOff)) that could not be published"
                + " before" + (line.version.map { "; version \($0) is served" } ?? ""))
    }

    static func on(_ campaigns: [String]) -> String {
        "\(list(campaigns)) \(campaigns.count == 1 ? "is" : "are") STILL ON"
    }

    static func list(_ campaigns: [String]) -> String { campaigns.joined(separator: ", ") }
}
