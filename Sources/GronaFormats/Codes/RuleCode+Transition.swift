// What a signer refuses when it compares what it signs with where it comes from.
extension RuleCode {
    /// A campaign would be switched on, or off, by an act that may not do that.
    package static let transitionEnabled = RuleCode("transition.enabled")
    /// The source is not in this signer's audit log.
    package static let transitionForeignSource = RuleCode("transition.foreign-source")
    /// The source is below the highest version signed here.
    package static let transitionStaleSource = RuleCode("transition.stale-source")
    /// The version is more than 1,000 above the highest one known.
    package static let versionJump = RuleCode("version.jump")
    /// The version was signed for another payload.
    package static let versionReused = RuleCode("version.reused")
    /// The version was claimed by another payload in the store.
    package static let versionTaken = RuleCode("version.taken")
    /// The version is not above the served one, a claim or a bundle.
    package static let versionNotAbove = RuleCode("version.not-above")
}
