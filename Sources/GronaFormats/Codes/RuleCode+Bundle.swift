// What a bundle is refused by (signed-configuration: The bundled configuration).
extension RuleCode {
    /// The bundle's version is above the served one.
    package static let bundleAboveServed = RuleCode("bundle.above-served")
    /// The app release does not pin the key that signed the bundle.
    package static let bundleKid = RuleCode("bundle.kid")
    /// More life than the policy or the source allows.
    package static let bundleLifetime = RuleCode("bundle.lifetime")
    /// A campaign was switched off since the bundle was signed.
    package static let bundleStale = RuleCode("bundle.stale")
    /// The served copy is expired, missing or does not verify, or the source is of the wrong
    /// kind.
    package static let bundleSource = RuleCode("bundle.source")
}
