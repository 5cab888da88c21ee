internal import GronaFormats
internal import StrictJSON

/// `unit`: what is counted; money is counted by customer, so that nobody who is not identified
/// sees an offer (offers-and-grants: On the device, who can see offers).
enum UnitRule {
    static let units = ["customer", "device"]

    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        guard let element = findings.required("unit", of: campaign, .campaignUnit),
            let unit = findings.word(element, of: units, .campaignUnit)
        else { return }
        if unit == "device", campaign["treatment"] != nil {
            findings.add(.campaignUnit, at: element, .treatmentNeedsCustomer)
        }
    }
}
