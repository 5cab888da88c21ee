import StrictJSON

/// A campaign's `enabled`, read with care: what is not plainly on may be off, and the reverse.
enum KillSwitch: Hashable {
    case on
    case off
    /// Absent, or no boolean; the canonical bytes tell one such value from another.
    case unclear([UInt8])

    init(of campaign: JSONElement) {
        guard let value = campaign["enabled"] else {
            self = .unclear([])
            return
        }
        switch value.boolean {
        case true?: self = .on
        case false?: self = .off
        case nil: self = .unclear(value.canonical())
        }
    }

    var mayBeOff: Bool { self != .on }
    var mayBeOn: Bool { self != .off }

    func isSame(as other: KillSwitch) -> Bool { self == other }
}
