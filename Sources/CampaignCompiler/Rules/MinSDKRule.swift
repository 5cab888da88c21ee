internal import GronaFormats
internal import StrictJSON

/// A campaign's own `min_sdk`: an older SDK switches off this campaign alone
/// (signed-configuration: Configurations that need a newer SDK).
enum MinSDKRule {
    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        guard let element = campaign["min_sdk"] else { return }
        _ = findings.version(element, .campaignMinSDK)
    }
}
