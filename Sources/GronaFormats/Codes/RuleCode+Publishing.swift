// What publishing is refused by, and what raises an alarm.
extension RuleCode {
    /// The served version is below one that was served before.
    package static let servedRolledBack = RuleCode("served.rolled-back")
    /// The store ignores conditions (RFC 9110 13.1).
    package static let storeNoCAS = RuleCode("store.no-cas")
    /// The store could not be probed; a warning.
    package static let storeUnprobed = RuleCode("store.unprobed")
    /// The clock is behind what this host has written, or apart from everybody else's.
    package static let clockUntrusted = RuleCode("clock.untrusted")
    /// Workspaces are missing from the inventory.
    package static let inventoryShrunk = RuleCode("inventory.shrunk")
    /// A signed version was never published, and holds the floor up.
    package static let unpublishedNewer = RuleCode("unpublished.newer")
    /// Another publisher has published a higher version.
    package static let superseded = RuleCode("superseded")
}
