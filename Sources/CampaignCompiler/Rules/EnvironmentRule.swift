internal import GronaFormats
internal import StrictJSON

/// `environment`, `delivery` and what they say about `settings`.
///
/// Production configurations never set `settings.demo` (signed-configuration: Demo mode).
enum EnvironmentRule {
    static func environment(
        _ workspace: JSONElement, _ findings: inout Findings
    ) -> WorkspaceEnvironment? {
        guard let element = workspace["environment"] else { return .production }
        let words = WorkspaceEnvironment.allCases.map(\.rawValue)
        return findings.word(element, of: words, .workspaceEnvironment)
            .flatMap { WorkspaceEnvironment(rawValue: $0) }
    }

    static func delivery(
        _ workspace: JSONElement, _ findings: inout Findings
    ) -> ConfigDelivery? {
        guard let element = workspace["delivery"] else { return .served }
        let words = ConfigDelivery.allCases.map(\.rawValue)
        return findings.word(element, of: words, .workspaceDelivery)
            .flatMap { ConfigDelivery(rawValue: $0) }
    }

    static func settings(
        _ workspace: JSONElement, environment: WorkspaceEnvironment?, _ findings: inout Findings
    ) {
        guard let element = workspace["settings"],
            let settings = findings.object(element, .workspaceSettings)
        else { return }
        PersonalDataRule.check(settings, &findings)
        guard let demo = settings["demo"], let isOn = findings.boolean(demo, .workspaceDemo)
        else { return }
        if isOn, environment == .production {
            findings.add(.workspaceDemo, at: demo, .demoOutsideDemo)
        }
    }
}
