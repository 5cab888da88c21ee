internal import GronaFormats
internal import StrictJSON

/// `placements`: the ids of the places where the campaign may stand.
enum PlacementsRule {
    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        guard let element = findings.required("placements", of: campaign, .campaignPlacements),
            let list = findings.array(element, .campaignPlacements)
        else { return }
        for placement in list.elements {
            _ = findings.identifier(placement, .campaignPlacements)
        }
    }
}
