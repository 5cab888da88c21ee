package import GronaFormats

/// What a person should know about something that is signed nevertheless.
package enum SigningNote: Hashable, Sendable {
    /// There is no `workspace.json`, so the values of a production workspace hold.
    case policyUndeclared(WorkspaceName)
    /// A bundle ends with its source, before its own lifetime is over.
    case shortenedToSource(UnixTime)
    /// A bundle that no publisher has released yet.
    case notReleased
    /// The keyring was seen for the first time; its digest is recorded.
    case keyringFirstUse(String)
    /// `kill` took a source in that was not signed here.
    case adoptedByKill(ConfigVersion, digest: String)
    /// The campaigns come from a folder, so they may not be what is served.
    case unpublishedSource
    /// An adopted envelope has another payload than the one known under its version.
    case otherPayload(ConfigVersion)
    /// A torn last line of the log was repaired.
    case logRepaired
    /// The key of a production workspace lies in a file.
    case fileKeyInProduction(KeyID)
}
