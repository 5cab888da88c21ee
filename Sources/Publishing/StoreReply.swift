package import HTTPTransport
import PublishProtocol

/// How a store answered a write.
package enum StoreReply: Sendable, Equatable {
    /// With this status of HTTP.
    case status(Int)
    /// Not at all, or not with a whole answer.
    case noAnswer(HTTPFailure)
}

extension Publisher {
    /// Adds what only the store can say of a run that it left open or made lose.
    func explained(_ report: PublishReport) -> PublishReport {
        var report = report
        switch report.verdict {
        case .unsettled: report.reply = store.lastReply
        case .lost(_, to: .present(_, let tag)):
            guard let bytes = report.after?.bytes, report.before?.bytes == bytes,
                let again = try? store.read(.config(judge.workspace)), again.bytes == bytes
            else { break }
            report.hasUnstableTag = again.tag != tag
        default: break
        }
        return report
    }
}
