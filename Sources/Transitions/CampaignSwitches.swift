/// Which kill switches a role may turn.
enum CampaignSwitches {
    /// None.
    case none
    /// From on to off.
    case off
    /// From on to off, and from off to on for the named campaigns.
    case offAndNamed([String])
    /// From on to off exactly for the given campaigns, which must be off afterwards.
    case offAsIn(Set<[UInt8]>)

    /// What is wrong with a switch from `before` to `after` of the campaign `id`.
    func reason(
        id: [UInt8], from before: KillSwitch, to after: KillSwitch
    ) -> TransitionViolation.Reason? {
        let turnedOn = before.mayBeOff && after.mayBeOn && !before.isSame(as: after)
        let turnedOff = !after.mayBeOn && !before.isSame(as: after)
        switch self {
        case .none:
            return turnedOn
                ? .switchedOn : turnedOff ? .switchedOff : before.isSame(as: after) ? nil : .changed
        case .off:
            return turnedOn ? .switchedOn : before.isSame(as: after) || turnedOff ? nil : .changed
        case .offAndNamed(let names):
            if turnedOn { return names.contains { Array($0.utf8) == id } ? nil : .switchedOn }
            return before.isSame(as: after) || turnedOff ? nil : .changed
        case .offAsIn(let off):
            if off.contains(id) { return after.mayBeOn ? .switchedOn : nil }
            return CampaignSwitches.none.reason(id: id, from: before, to: after)
        }
    }
}
