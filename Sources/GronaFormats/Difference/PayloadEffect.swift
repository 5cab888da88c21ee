/// What a change at the top of a payload means.
package enum PayloadEffect: Sendable, Equatable {
    /// Installs below the new version keep the old config and lose offers (signed-configuration:
    /// Configurations that need a newer SDK).
    case minSDKRaised(old: SDKVersion, new: SDKVersion)
    /// Offers render without a grant where the app agrees (signed-configuration: Demo mode).
    case demo(Bool)
    /// Every campaign ends earlier (signed-configuration: Freeze protection); Unix seconds.
    case expiresEarlier(old: Int64, new: Int64)
    /// Not the next document of the same workspace.
    case otherWorkspace
    /// Lower than before: installs reject it (signed-configuration: Rollback protection).
    case versionFalls(old: Int64, new: Int64)
}
