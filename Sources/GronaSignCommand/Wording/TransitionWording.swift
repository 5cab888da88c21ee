import CommandLineKit
import Transitions

/// The words for what a role may not change.
enum TransitionWording {
    static func diagnostic(_ violation: TransitionViolation) -> Diagnostic {
        Diagnostic(
            code: violation.code, message: message(violation), pointer: violation.pointer,
            help: help(violation), exit: .refused)
    }

    static func message(_ violation: TransitionViolation) -> String {
        let what = violation.campaign.map { "campaign \($0)" } ?? "\"\(violation.member)\""
        return switch violation.reason {
        case .changed: "\(what) differs from the source"
        case .added: "\(what) is not in the source"
        case .removed: "\(what) is in the source and not here"
        case .reordered: "the campaigns stand in another order than in the source"
        case .notAbove(let number): "the version has to be above \(number)"
        case .notEqual(let number): "the version has to stay \(number)"
        case .earlier(let time):
            "it would end before \(TimeWording.text(time)), where the source ends"
        case .later(let time): "it would end after \(TimeWording.text(time)), where the source ends"
        case .switchedOn: "\(what) was off and would be on again"
        case .switchedOff: "\(what) was on and would be off"
        case .raised(let version): "\"min_sdk\" would rise above \(version)"
        case .unreadable: "\(what) cannot be read, so nothing can be compared with it"
        }
    }

    static func help(_ violation: TransitionViolation) -> String {
        switch violation.reason {
        case .switchedOn:
            "--enable \(violation.campaign ?? "ID") says that this is meant"
        case .switchedOff:
            "--disable \(violation.campaign ?? "ID") says that this is meant"
        case .earlier: "--shorten says that this is meant; a longer --lifetime avoids it"
        case .later: "ask for a shorter --lifetime"
        case .notAbove, .notEqual: "leave --version out, or give a number that fits"
        case .raised: "--raise-min-sdk says that this is meant: older apps lose their campaigns"
        case .changed, .added, .removed, .reordered, .unreadable:
            "new content is signed with 'grona-sign config'"
        }
    }
}
