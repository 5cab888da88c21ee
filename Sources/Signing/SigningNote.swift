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
    /// A change of the keyring that was recorded and not written is written now; its SHA-256.
    case keyringFinished(String)
    /// `kill` took a source in that was not signed here.
    case adoptedByKill(ConfigVersion, digest: String)
    /// The campaigns come from a folder, so they may not be what is served.
    case unpublishedSource
    /// An adopted envelope has another payload than the one known under its version.
    case otherPayload(ConfigVersion)
    /// A torn last line of the log was removed.
    case logRepaired
    /// The last line of the log lacked its newline and was kept.
    case logCompleted
    /// `workspace.json` breaks a rule, and `kill` goes by the values of a production workspace.
    case policyUnreadable(WorkspaceName)
    /// Something newer than what a token is made from was signed here.
    case grantStaleSource(ConfigVersion, floor: Int64)
    /// A token is made from what this signer does not know, although it has signed configs.
    case grantForeignSource(ConfigVersion)
    /// `settings.demo` is on in a workspace that is none for demos; only `kill` signs it.
    case demoOutsideDemo(WorkspaceName)
    /// A config of a workspace that has no config URL.
    case notServed(WorkspaceName)
    /// A campaign to be switched off that is off, or on that is on.
    case offAlready(String)
    case onAlready(String)
    /// The key of a production workspace lies in a file.
    case fileKeyInProduction([KeyID])
}
