import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing

/// The words for a signer that has signed something newer than what is served: which version that
/// is, and the two ways on.
struct OutdatedWording {
    let workspace: WorkspaceName
    /// `--to` and `--from` in front of the store, as the next commands need it.
    let store: String
    /// Whether it is read by people who may call a few commands only, and name no file.
    var isForOperators = false

    /// Says it in place of the signer, which does not know the store.
    func failure(_ failure: Failure, _ report: PublishReport) -> Failure {
        guard case .signer(.outdated(let signed, _, _))? = report.failure else { return failure }
        var failure = failure
        let isClaimed = report.unpublished.contains { $0.version == signed?.number }
        let isAtHand = isClaimed || report.kept.map { $0.version == signed?.number } ?? false
        failure.reason.message =
            "the signer signed version \(signed.map { "\($0)" } ?? "?") of \(workspace), which"
            + (isClaimed ? " is claimed in the store and not served" : " is not published")
            + ", and takes nothing older by now"
        failure.reason.help = help(signed?.number, isAtHand: isAtHand)
        return failure
    }

    /// The two ways on with a version that is signed and not served.
    ///
    /// - Parameter isAtHand: whether it is claimed in the store, or kept on this host.
    func help(_ version: Int64?, isAtHand: Bool) -> String {
        let number = version.map { String($0) } ?? "VERSION"
        let withdraw = "'grona-sign audit withdraw \(workspace) \(number) --reason TEXT'"
        let again = "then run the same command again"
        if isForOperators {
            let file =
                isAtHand
                ? "'grona-publish fetch \(workspace) --claimed \(number)' prints it"
                : "who signed it has it"
            return "wake who may do one of two things: publish version \(number) (\(file);"
                + " 'grona-publish push - <FILE', as who may publish configs), or give it up on the"
                + " signer's host, as root: \(withdraw); \(again)"
        }
        let publish =
            isAtHand
            ? commands(version ?? 0).joined(separator: "', '")
            : "grona-publish push FILE --to \(store)"
        return "publish it: '\(publish)'; or give it up, on the signer's host: \(withdraw);"
            + " \(again)"
    }

    /// The commands that publish what is claimed in the store or kept on this host; none for people
    /// who may not.
    func commands(_ version: Int64) -> [String] {
        guard !isForOperators else { return [] }
        let file = "\(workspace)-\(version).json"
        return [
            "grona-publish fetch \(workspace) --claimed \(version) -o \(file) --from \(store)",
            "grona-publish push \(file) --to \(store)",
        ]
    }
}

extension OutdatedWording {
    /// - Parameter store: its name.
    init(_ context: CommandContext, _ workspace: WorkspaceName, store: String) {
        self.init(
            workspace: workspace, store: StatusAdvice.word(store),
            isForOperators: context.console.isSpelled("grona-publish"))
    }
}
