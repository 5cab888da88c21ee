import CommandLineKit
import GronaFormats
import PublishProtocol
import Publishing

/// The words for a signer that has signed something newer than what is served: which version that
/// is, and the two ways on.
struct OutdatedWording {
    let workspace: WorkspaceName
    /// `--to` and `--from` in front of the store, as the next commands need it.
    let store: String

    /// Says it in place of the signer, which does not know the store.
    func failure(_ failure: Failure, _ report: PublishReport) -> Failure {
        guard case .signer(.outdated(let signed, _, _))? = report.failure else { return failure }
        var failure = failure
        let isClaimed = report.unpublished.contains { $0.version == signed?.number }
        let isAtHand = isClaimed || report.kept.map { $0.version == signed?.number } ?? false
        failure.reason.message =
            "the signer signed version \(signed.map { "\($0)" } ?? "?") of \(workspace), which"
            + (isClaimed ? " is claimed in the store and not served" : " is not published")
        failure.reason.help = help(signed?.number, isAtHand: isAtHand)
        return failure
    }

    /// The two ways on with a version that is signed and not served.
    ///
    /// - Parameter isAtHand: whether it is claimed in the store, or kept on this host.
    func help(_ version: Int64?, isAtHand: Bool) -> String {
        let number = version.map { String($0) } ?? "VERSION"
        let publish =
            isAtHand
            ? commands(version ?? 0).joined(separator: "', '")
            : "grona-publish push FILE --to \(store)"
        return "publish it: '\(publish)'; or give it up: 'grona-sign audit withdraw \(workspace)"
            + " \(number) --reason TEXT'; then run the same command again"
    }

    /// The commands that publish what is claimed in the store or kept on this host.
    func commands(_ version: Int64) -> [String] {
        let file = "\(workspace)-\(version).json"
        return [
            "grona-publish fetch \(workspace) --claimed \(version) -o \(file) --from \(store)",
            "grona-publish push \(file) --to \(store)",
        ]
    }
}
