import CommandLineKit
import GronaFormats
import PublishProtocol
import Publishing

/// The words for a number too far above the mark that the signer chose: the way on is another one
/// than for a document that somebody numbered.
enum JumpWording {
    /// Names the number that the same command again is given at most.
    static func failure(_ failure: Failure, _ report: PublishReport) -> Failure {
        guard case .refused(let refusals) = report.verdict,
            case .versionJump(let version, _)? = refusals.first
        else { return failure }
        var failure = failure
        // This one is spent by now.
        let next = ConfigVersion(version)?.advanced(by: slack)?.number ?? version
        failure.reason.help =
            "the signer has given away every number below it; installs can never go back:"
            + " --allow-jump \(next) says that a number up to that is meant"
        return failure
    }

    /// What others may have signed until the command is run again.
    private static let slack: Int64 = 10

    /// The way on where renewals themselves have used every number up.
    static func refresh(_ workspace: WorkspaceName) -> String {
        "the signer has given away every number that a renewal may have; find out who asked for"
            + " them ('grona-sign audit show'), then go above them: 'grona-sign config' of the same"
            + " campaigns with --version N --allow-jump N, and 'grona-publish push --allow-jump N'"
            + " for \(workspace)"
    }
}
