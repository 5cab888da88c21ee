package import GronaFormats
package import LinuxIO
import PublishProtocol
package import Transitions

/// Holds a bundle that a signer gave against what it was asked for.
///
/// A valid signature proves who signed, not that it was this request: a signer that was taken over,
/// or that mixes up its answers, is caught here and nowhere later.
struct SignerCheck {
    /// How far the signer's clock may stand from ours, in seconds.
    static let clockTolerance: Int64 = 300

    let source: ConfigPayload
    let lifetime: DurationSeconds?
    let keepsOffers: Bool
    let now: UnixTime

    /// The first way in which the bundle is not what was asked for.
    func lie(in bundle: ConfigPayload) -> SignerLie? {
        let away = bundle.issuedAt.since(now).seconds
        guard (-Self.clockTolerance...Self.clockTolerance).contains(away) else {
            return .issued(bundle.issuedAt, now: now)
        }
        let step = Transition.bundle(of: source.root)
        if let violation = step.violations(in: bundle.root).first { return .beyond(violation) }
        let lives = bundle.expiresAt.since(bundle.issuedAt)
        if let lifetime, lives.seconds > lifetime.seconds {
            return .lifetime(lives, asked: lifetime)
        }
        return !keepsOffers && BundleRules.carriesOffers(bundle) ? .offers : nil
    }
}

/// How what a signer gave differs from what it was asked for.
package enum SignerLie: Error, Sendable, Hashable {
    /// It was signed at another time than now.
    case issued(UnixTime, now: UnixTime)
    /// More was changed than making a bundle changes.
    case beyond(TransitionViolation)
    case lifetime(DurationSeconds, asked: DurationSeconds)
    case version(ConfigVersion, asked: ConfigVersion)
    /// The campaign was to be switched off.
    case stillOn(String)
    /// Offers were not asked for.
    case offers
    /// It gave an envelope and ended as one that failed.
    case exit(ChildExit)
}
