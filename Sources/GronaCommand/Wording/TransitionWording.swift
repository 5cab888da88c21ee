package import CommandLineKit
import GronaFormats
package import Transitions

extension Diagnostic {
    /// What a new payload may not change against its source.
    package init(_ violation: TransitionViolation, file: String? = nil) {
        self.init(
            code: violation.code, message: TransitionWording.message(violation), file: file,
            pointer: violation.pointer, help: TransitionWording.help(violation), exit: .refused)
    }
}

/// The words for illegal steps from one payload to the next.
package enum TransitionWording {
    package static func message(_ violation: TransitionViolation) -> String {
        let subject = violation.campaign.map { "campaign \"\($0)\": " } ?? ""
        return subject + words(violation.reason, member: violation.member)
    }

    private static func words(_ reason: TransitionViolation.Reason, member: String) -> String {
        switch reason {
        case .changed: "\(member) differs from the source"
        case .added: "\(member) is new against the source"
        case .removed: "\(member) is gone from the source"
        case .reordered: "the campaigns stand in another order"
        case .notAbove(let number): "\(member) is not above \(number)"
        case .notEqual(let number): "\(member) is not \(number)"
        case .earlier(let time): "\(member) is earlier than \(UnixTime(time))"
        case .later(let time): "\(member) is later than \(UnixTime(time))"
        case .switchedOn: "it was off and is on again"
        case .rememberedOff: "this signer switched it off, and it is on"
        case .switchedOff: "it was on and is off"
        case .raised(let version): "\(member) is raised above \(version), which strands older apps"
        case .unreadable: "\(member) is missing or of another type"
        }
    }

    static func help(_ violation: TransitionViolation) -> String? {
        switch violation.reason {
        case .switchedOn:
            violation.campaign.map {
                "to keep it off, set 'enabled' to false in its file; --enable \($0) says that on is"
                    + " meant"
            }
        case .rememberedOff:
            violation.campaign.map { "--disable \($0) too keeps it off" }
        case .raised:
            "'config' takes --raise-min-sdk, which says that this is meant"
        case .earlier: "give a longer lifetime, or say with --shorten that this is meant"
        case .changed, .added, .removed, .reordered, .notAbove, .notEqual, .later,
            .switchedOff, .unreadable:
            nil
        }
    }
}
