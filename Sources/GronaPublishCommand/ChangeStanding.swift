import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing

/// What devices get after a change that failed, told last: nobody has to find out on a bad day.
struct ChangeStanding {
    let publisher: Publisher
    let workspace: WorkspaceName
    /// The campaigns that a kill was to switch off; nil for another change.
    let campaigns: [String]?

    private var store: String { publisher.store.name }

    /// The failure, with that behind it.
    func after(_ failure: Failure) -> Failure {
        guard failure.status != .usage, failure.reason.code != "campaign.unknown" else {
            return failure
        }
        var failure = failure
        if let told = told(of: failure.reason) { failure.others.append(told) }
        return failure
    }

    private func told(of reason: Diagnostic) -> Diagnostic? {
        guard !RefreshWording.isSilence(reason) else { return unread() }
        publisher.store.hurry(true)
        guard let (_, document) = try? publisher.served() else { return unread() }
        guard let payload = document?.payload else {
            return make(
                campaigns.map {
                    "nothing of ours is served: devices that took \(KillWording.list($0)) before have"
                        + " it until that ends"
                } ?? "nothing of ours is served", waiting(above: nil))
        }
        let version = payload.version.number
        let place = "version \(version), which \(store) serves"
        guard let campaigns else { return make("devices get \(place)", waiting(above: version)) }
        let on = campaigns.filter { payload.campaign($0)?.isEnabled == true }
        guard !on.isEmpty else {
            return Diagnostic(
                .note, code: "kill.done",
                message: "\(KillWording.list(campaigns)) of \(workspace)"
                    + " \(campaigns.count == 1 ? "is" : "are") not on in \(place)",
                exit: .success)
        }
        return make(
            "\(KillWording.list(on)) of \(workspace) \(on.count == 1 ? "is" : "are") STILL ON in"
                + " \(place)", waiting(above: version))
    }

    private func unread() -> Diagnostic {
        make(
            campaigns.map {
                "\(KillWording.list($0)) of \(workspace) may be STILL ON: what \(store) serves"
                    + " cannot be read"
            } ?? "what \(store) serves cannot be read", waiting(above: nil))
    }

    private func make(_ message: String, _ help: String) -> Diagnostic {
        Diagnostic(
            code: campaigns == nil ? "change.not-done" : "kill.not-done", message: message,
            help: help, exit: .negative)
    }

    /// Whether something that was signed waits, and how it is published.
    private func waiting(above served: Int64?) -> String {
        let again = "the same command again"
        guard let kept = publisher.kept(above: served), let version = kept.facts?.version,
            let payload = kept.payload,
            campaigns?.allSatisfy({ payload.campaign($0)?.isEnabled != true }) ?? true
        else { return "nothing that was signed for it waits; \(again) tries it anew" }
        return campaigns == nil
            ? "version \(version) was signed by a run on this host and waits; \(again) finishes it"
            : "version \(version), which switches it off, is signed and waits on this host; \(again)"
                + " publishes it, once what is told above is mended, and so does the next refresh"
    }
}
