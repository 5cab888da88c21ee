/// How far a version may stand above the highest one that is known.
///
/// An install never goes back, so a number that is too high by mistake can not be taken back.
package enum VersionStep {
    /// The largest step that needs no person.
    package static let maximum: Int64 = 1_000

    /// Whether `version` is too far above `known`, the highest version known, 0 if there is none.
    ///
    /// `allowed` is what a person repeated with `--allow-jump`; only the very number counts.
    package static func isJump(_ version: Int64, above known: Int64, allowed: Int64? = nil) -> Bool
    {
        version.subtractingSaturating(known) > maximum && allowed != version
    }
}
