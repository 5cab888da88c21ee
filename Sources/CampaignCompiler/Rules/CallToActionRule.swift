internal import GronaFormats
internal import StrictJSON

/// `call_to_action`: its `action` says whether a banner moves a basket
/// (signed-configuration: Configurations that need a newer SDK, banners).
enum CallToActionRule {
    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        guard let element = campaign["call_to_action"],
            let object = findings.object(element, .campaignCallToAction),
            let action = findings.required("action", of: object, .campaignCallToAction)
        else { return }
        _ = findings.identifier(action, .campaignCallToAction)
    }
}
