import CommandLineKit
import GronaCommand
import GronaFormats
import Signing
import Transitions

/// The words, the next step and the status for everything that signing refuses.
struct SigningWording {
    /// The files that were given, by what they are for.
    var files: [SourceRole: String] = [:]
    /// The audit log of the workspace.
    var log = ""

    func failure(_ error: SigningError) -> Failure {
        switch error {
        case .source(let role, let violation):
            one(
                violation.code,
                "the \(words(role)) is no config to work from: "
                    + RuleWording.message(violation),
                "'grona-sign verify' shows every check", file: files[role])
        case .foreignSource(let role, let version, _, isLogNew: true):
            one(
                .transitionForeignSource,
                "the \(words(role)), version \(version), is no config that this signer signed: its"
                    + " log is new, and knows of none",
                "where the log was lost, bring it back or take in what is served: 'grona-sign audit"
                    + " adopt ENVELOPE --reason TEXT', the handbook's page Operations, \"The"
                    + " signer's state\"", file: files[role])
        case .foreignSource(let role, let version, _, isLogNew: false):
            one(
                .transitionForeignSource,
                "the \(words(role)), version \(version), is no config that this signer signed and"
                    + " still stands by",
                "'grona-sign audit show' tells whether it was withdrawn; 'grona-sign audit adopt"
                    + " ENVELOPE --reason TEXT' takes it in", file: files[role])
        case .staleSource(let role, let version, let floor):
            stale(role, version, floor)
        case .compromisedSource(let role, let kid):
            one(
                "transition.compromised-key",
                "the \(words(role)) was signed by \(kid), a key that is compromised",
                "sign the content anew with 'grona-sign config'", file: files[role])
        case .transition(let violations): transition(violations)
        case .policy(let error): Failure(error)
        case .unknownCampaign(let id):
            one(
                "campaign.unknown", "there is no campaign \"\(id)\"",
                "'grona-sign inspect' shows the campaigns of a config")
        case .demoOutsideDemo(let workspace):
            one(
                .workspaceDemo,
                "settings.demo is on, and \(workspace) is no demo workspace",
                "sign the content without it as a config; --campaigns names the folder whose"
                    + " workspace.json says what the workspace is")
        case .version(let problem): version(problem)
        case .time(let problem): time(problem)
        case .keyring(let problem): keyring(problem)
        case .memory(let problem): memory(problem)
        case .key(let kid, let error): KeyWording.failure(error, kid: kid)
        case .deliveryNotBundleOnly(let workspace):
            one(
                .bundleSource,
                "\(workspace) has a config URL, so a bundle is made from what is served",
                "give the served envelope, as 'grona-publish bundle' does")
        case .deliveryBundleOnly(let workspace):
            one(
                .bundleSource,
                "\(workspace) has no config URL, so a bundle is made from its folder",
                "give the campaign folder and --version N")
        case .payloadTooLarge(let count, let limit): tooLarge(.payloadTooLarge, count, limit)
        case .envelopeTooLarge(let count, let limit): tooLarge(.envelopeTooLarge, count, limit)
        case .ownEnvelope(let violation):
            one(
                violation.code,
                "a device would reject what was made: \(RuleWording.message(violation))",
                "nothing was written; this is a fault of the program or of the key service",
                exit: .fault)
        case .grant(let refusal): GrantWording.failure(refusal)
        case .preview(let refusal): PreviewWording.failure(refusal)
        }
    }

    /// The words for an envelope that fails a check.
    func source(_ role: SourceRole) -> (RuleViolation) -> Failure {
        { failure(.source(role, $0)) }
    }

    private func transition(_ violations: [TransitionViolation]) -> Failure {
        let all = violations.map { Diagnostic($0) }
        guard let first = all.first else {
            return one("transition.member", "the step is not allowed", nil)
        }
        return Failure(first, others: Array(all.dropFirst()))
    }

    private func stale(_ role: SourceRole, _ version: ConfigVersion, _ floor: Int64) -> Failure {
        var failure = one(
            .transitionStaleSource,
            "the \(words(role)) has version \(version), and version \(floor) was signed since",
            "use what is served now; if \(floor) was never published, publish it, or give it up:"
                + " grona-sign audit withdraw WORKSPACE \(floor) --reason TEXT", file: files[role])
        failure.reason.numbers["signed_version"] = floor
        return failure
    }

    private func tooLarge(_ code: RuleCode, _ count: Int, _ limit: Int) -> Failure {
        one(
            code, "\(count) bytes is over the limit of \(limit) bytes for signing",
            "shorten the content, or move it to where the app fetches it")
    }

    private func words(_ role: SourceRole) -> String {
        switch role {
        case .source: "source"
        case .after: "envelope to follow"
        case .served: "served envelope"
        case .old: "old envelope"
        case .adopted: "envelope"
        }
    }

    func one(
        _ code: RuleCode, _ message: String, _ help: String?, file: String? = nil,
        exit: ExitStatus = .refused
    ) -> Failure {
        one(code.rawValue, message, help, file: file, exit: exit)
    }

    func one(
        _ code: String, _ message: String, _ help: String?, file: String? = nil,
        exit: ExitStatus = .refused
    ) -> Failure {
        Failure(Diagnostic(code: code, message: message, file: file, help: help, exit: exit))
    }
}
