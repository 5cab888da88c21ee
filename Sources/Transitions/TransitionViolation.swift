/// One way in which a new payload differs from what its role may change.
///
/// A value, not a text: the wording belongs to the commands.
package struct TransitionViolation: Error, Hashable, Sendable {
    /// What is wrong with the member.
    package enum Reason: Hashable, Sendable {
        /// The member differs and the role may not change it.
        case changed
        /// The member or campaign is new.
        case added
        /// The member or campaign is gone.
        case removed
        /// The same campaigns stand in another order.
        case reordered
        /// The number must be above the given one.
        case notAbove(Int64)
        /// The number must be equal to the given one.
        case notEqual(to: Int64)
        /// The time is earlier than the given one, in Unix seconds.
        case earlier(than: Int64)
        /// The time is later than the given one, in Unix seconds.
        case later(than: Int64)
        /// The campaign was off and is on, and nobody named it.
        case switchedOn
        /// The signer switched the campaign off, and it is on.
        case rememberedOff
        /// The campaign was on and is off, which this role may not do.
        case switchedOff
        /// The version of the SDK was raised above the given one without leave.
        case raised(above: String)
        /// The member is missing or has another type than the comparison needs.
        case unreadable
    }

    /// The member at the top of the payload, or `enabled` for a campaign's kill switch.
    package let member: String
    /// Where it stands in the new payload, or in the source if it is gone (RFC 6901).
    package let pointer: String
    /// The campaign's id, where a campaign is concerned and has one.
    package let campaign: String?
    package let reason: Reason

    package init(member: String, pointer: String, campaign: String? = nil, reason: Reason) {
        self.member = member
        self.pointer = pointer
        self.campaign = campaign
        self.reason = reason
    }

    /// The stable code: `transition.` and the member, or `transition.member` for a name that is
    /// no plain word.
    package var code: String {
        let isWord = member.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "_")
        }
        return isWord && !member.isEmpty && member.utf8.count <= 64
            ? "transition.\(member)" : "transition.member"
    }
}
