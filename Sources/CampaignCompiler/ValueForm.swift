/// The forms that strings of a source take.
package enum ValueForm: String, Sendable {
    /// `[A-Za-z0-9._:-]{1,128}` (offers-and-grants: The grant token, ids).
    case identifier
    /// `[a-z0-9][a-z0-9-]{0,62}`.
    case workspaceName
    /// `MAJOR.MINOR.PATCH`.
    case version
    /// Digits and one of `s`, `m`, `h`, `d`.
    case duration
    /// At least one character.
    case notEmpty
}
