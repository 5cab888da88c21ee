import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing

/// The words for what stops a refresh, or one workspace of it.
enum RefreshWording {
    /// The reason of a line: what the signer's memory says about a source means that something
    /// newer was signed and never published.
    static func reason(
        _ failure: Failure, _ report: PublishReport, _ words: OutdatedWording
    ) -> Diagnostic {
        var reason = UntrustedKeyWording.failure(failure, report, words.workspace).reason
        // What gives nothing has signed nothing wrong; what says that it is not set up has.
        if ["signer.no-answer", "signer.malformed"].contains(reason.code),
            reason.exit != .configuration, reason.exit != .notAllowed
        {
            reason.exit = .unavailable
        }
        if reason.code == RuleCode.versionJump.rawValue {
            reason.help = JumpWording.refresh(words.workspace)
            // No later run gets over it.
            reason.exit = .negative
        }
        guard reason.code == RuleCode.transitionStaleSource.rawValue else { return reason }
        reason = words.failure(failure, report).reason
        reason.code = RefreshOutcome.unpublishedNewer
        reason.message =
            "a newer version was signed and is not served, so what is served is not renewed: "
            + reason.message
        reason.exit = .negative
        return reason
    }

    /// For a workspace that was not asked for, since nobody else was answered.
    static func notAsked(_ other: WorkspaceName, _ reason: Diagnostic) -> Diagnostic {
        var notAsked = reason
        notAsked.message =
            "not asked: the store had answered for nobody in a long time, last for \(other)"
        notAsked.help = "the next run begins with those that this one did not ask for"
        return notAsked
    }

    /// For what was not begun when the run was asked to end.
    static let stopped = Diagnostic(
        code: "refresh.stopped", message: "not begun: the run was asked to end by a signal",
        help: "the next run does it, the nearest end first", exit: .tryAgain)

    /// Whether a store did not answer; a signer that does not is asked no more by itself.
    static func isSilence(_ trouble: Diagnostic) -> Bool {
        ["store.unreachable", "store.timeout", "store.busy", "store.unsettled"].contains {
            trouble.code.utf8.elementsEqual($0.utf8)
        }
    }

    /// What a rule of publishing or of the signer refuses stays refused, whenever it is asked for.
    static func needsAPerson(_ trouble: Diagnostic) -> Bool {
        trouble.exit == .refused
            || trouble.code.utf8.elementsEqual(RefreshOutcome.unpublishedNewer.utf8)
    }

    static func untrusted(_ signer: String) -> Diagnostic {
        Diagnostic(
            code: "signer.lied",
            message: "not asked: \(signer) gave bad signatures for two workspaces",
            help: "look at the signer, its host and its token before anything else", exit: .fault)
    }

    static func clock(_ problem: ClockRule.Problem, now: UnixTime) -> Failure {
        let message =
            switch problem {
            case .behindLedger(let newest):
                "the clock says \(now), and this host's ledger, or its last run, is of \(newest)"
            case .awayFromServers(let offset):
                "the clock is \(offset.magnitude) s \(offset > 0 ? "behind" : "ahead of") what the"
                    + " servers say"
            case .set(let offset):
                "the clock was set \(offset > 0 ? "ahead" : "back") by \(offset.magnitude) s during"
                    + " the run"
            }
        var help =
            "set the clock of this machine; where it is right by now, --accept-clock"
            + " answers for it, and is needed once"
        if case .set = problem { help = "where it is right now, the next run does the rest" }
        return Failure(
            Diagnostic(
                code: "clock.untrusted", message: message, help: help, exit: .tryAgain))
    }

    /// - Parameter before: how many there were in the last run; nil where there was none.
    static func inventory(_ problem: InventoryRule.Problem, before: Int?) -> Failure {
        switch problem {
        case .empty:
            Failure(
                Diagnostic(
                    code: "inventory.empty",
                    message: "there is no workspace to look after"
                        + (before.map { $0 > 0 ? ", and \($0) were there in the last run" : "" }
                            ?? ""),
                    help: "look at --campaigns or at the inventory: what is gone is renewed by"
                        + " nobody; --accept-inventory takes it from now on",
                    exit: .refused))
        case .shrunk(let before, let count):
            Failure(
                Diagnostic(
                    code: "inventory.shrunk",
                    message: "there are \(count) workspaces, and there were \(before) in the last"
                        + " run",
                    help: "look at what is gone; --accept-inventory takes it from now on",
                    exit: .refused))
        }
    }

    static let lockedCode = "refresh.locked"

    /// What could not be written is the metrics; what else came of the run is another matter.
    static func noMetrics(_ failure: Failure, wasStopped: Bool) -> Failure {
        var failure = failure
        failure.reason.message = "the metrics were not written: \(failure.reason.message)"
        if failure.reason.help == nil {
            failure.reason.help =
                (wasStopped ? "" : "the run did its work all the same; ")
                + "look at the folder of --metrics: who may write there, and is it full"
        }
        return failure
    }

    /// For a list that is shorter than it was, and not so much that it is not believed.
    static func shorter(_ count: Int, before: Int) -> Diagnostic {
        .warning(
            code: "inventory.shorter",
            message: "there \(count == 1 ? "is 1 workspace" : "are \(count) workspaces"), and there"
                + " \(before == 1 ? "was 1" : "were \(before)") in the last run",
            help: "nobody renews what is not in the list any more; it is told once")
    }

    static func locked(_ path: String, holder: Int32?) -> Failure {
        Failure(
            Diagnostic(
                code: lockedCode,
                message: "another run is under way"
                    + (holder.map { ", process \($0)" } ?? ""), file: path,
                help: "it does the same; this one ends", exit: .tryAgain))
    }
}
