// What publishing is refused by, and what raises an alarm.
extension RuleCode {
    /// The served version is below one that was served before.
    package static let servedRolledBack = RuleCode("served.rolled-back")
    /// Another publisher has published a higher version.
    package static let superseded = RuleCode("superseded")
}
