/// Where a key stands between its making and its end.
///
/// Source of the meaning: signed-configuration: Pinned keys; who does what.
package enum KeyState: String, Sendable, Hashable, CaseIterable {
    /// Made here; nobody else knows it.
    case generated
    /// The app team has its pin and typed its thumbprint back.
    case announced
    /// Pinned by nearly every install: may become current.
    case standby
    /// The one key of its use that signs.
    case current
    /// Signed until lately; what it signed is still alive.
    case retiring
    /// Nothing signed by it is alive.
    case retired
    /// Its private half is gone; the public half stays for ever.
    case destroyed
    /// Never signs again.
    case compromised

    /// The states that may follow this one. `retiring` to `current` is a promotion taken back.
    package var successors: Set<KeyState> {
        switch self {
        case .generated: [.announced, .compromised]
        case .announced: [.standby, .compromised]
        case .standby: [.current, .compromised]
        case .current: [.retiring, .standby, .compromised]
        case .retiring: [.current, .retired, .compromised]
        case .retired: [.destroyed, .compromised]
        case .destroyed: [.compromised]
        case .compromised: []
        }
    }

    /// Whether a key may begin its life in this state; `current` for the first key of its use.
    package var canBeFirst: Bool {
        self == .generated || self == .current
    }

    /// Whether a key in this state may be the next one to be pinned.
    package var isUpcoming: Bool {
        self == .standby || self == .announced || self == .generated
    }
}
