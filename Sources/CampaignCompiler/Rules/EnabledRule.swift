internal import GronaFormats
internal import StrictJSON

/// `enabled`: the kill switch, which every campaign spells out.
enum EnabledRule {
    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        guard let element = findings.required("enabled", of: campaign, .campaignEnabled) else {
            return
        }
        _ = findings.boolean(element, .campaignEnabled)
    }
}
