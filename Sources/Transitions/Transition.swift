package import StrictJSON

/// A step from one signed payload to the next, with what the caller may ask for.
///
/// A signature proves that a source was signed once; these rules keep a signer, or a publisher,
/// from being used to say something else with it. Payloads are the decoded JSON of an envelope.
package enum Transition: Sendable {
    /// New content, which follows `after` if there is one.
    case config(after: JSONElement?, enabling: [String] = [], raisingMinSDK: Bool = false)
    /// The same content with new times.
    case renew(of: JSONElement, expiry: ExpiryRule = .notEarlier)
    /// The same content with campaigns switched off.
    case kill(of: JSONElement)
    /// The same content with campaigns switched off, and the named ones on.
    case revive(of: JSONElement, enabling: [String])
    /// The copy for an app: the same version, other times, offers left out.
    case bundle(of: JSONElement)
    /// An older content under a new version; what is off in the served one stays off, and the
    /// campaigns `keepingOff` (ids as bytes), which may no longer be served.
    case restore(of: JSONElement, served: JSONElement, keepingOff: Set<[UInt8]> = [])

    package var role: TransitionRole {
        switch self {
        case .config: .config
        case .renew: .renew
        case .kill: .kill
        case .revive: .revive
        case .bundle: .bundle
        case .restore: .restore
        }
    }

    /// Every way in which `new` goes beyond this step, in the order of the payload's members:
    /// version, times, the rest by name, campaigns.
    package func violations(in new: JSONElement) -> [TransitionViolation] {
        switch self {
        case .config(nil, _, _):
            return []
        case .config(let after?, let enabling, let raising):
            let pair = PayloadPair(source: after, new: new)
            return pair.versionMustRise() + pair.mustBeEqual("workspace")
                + (raising ? [] : pair.minSDKMustNotRise())
                + pair.namedSwitches(enabling)
        case .renew(let source, let expiry):
            let pair = PayloadPair(source: source, new: new)
            return pair.versionMustRise() + pair.expiry(expiry) + pair.otherMembers()
                + pair.campaigns(switches: .none)
        case .kill(let source):
            let pair = PayloadPair(source: source, new: new)
            return pair.versionMustRise() + pair.otherMembers()
                + pair.campaigns(switches: .off)
        case .revive(let source, let enabling):
            let pair = PayloadPair(source: source, new: new)
            return pair.versionMustRise() + pair.otherMembers()
                + pair.campaigns(switches: .offAndNamed(enabling))
        case .bundle(let source):
            let pair = PayloadPair(source: source, new: new)
            return pair.versionMustStay() + pair.expiryNotAfterSource() + pair.otherMembers()
                + pair.campaigns(switches: .none, offersMayGo: true)
        case .restore(let old, let served, let off):
            let pair = PayloadPair(source: old, new: new)
            let base = PayloadPair(source: served, new: new)
            return pair.versionMustRise(alsoAbove: base) + base.mustBeEqual("workspace")
                + base.minSDKMustNotRise() + pair.otherMembers()
                + pair.campaigns(switches: .offAsIn(base.sourceSwitchedOff.union(off)))
        }
    }
}
