internal import GronaFormats
internal import StrictJSON

/// `kind`: what renders the campaign; `host` is a decision that the app renders
/// (signed-configuration: Configurations that need a newer SDK).
enum KindRule {
    static let kinds = ["offer", "banner", "progress_bar", "message", "host"]

    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        guard let element = findings.required("kind", of: campaign, .campaignKind) else { return }
        _ = findings.word(element, of: kinds, .campaignKind)
    }
}
