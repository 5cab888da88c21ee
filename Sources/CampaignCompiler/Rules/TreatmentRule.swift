internal import GronaFormats
internal import StrictJSON

/// `treatment`: there exactly when the campaign is an offer; its type is an id of the campaign's
/// choosing, its value is in thousandths (offers-and-grants: The grant token, `trt` and `val`).
enum TreatmentRule {
    static let values: ClosedRange<Int64> = 0...ConfigVersion.last.number

    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        let kind = campaign["kind"]?.string
        guard let element = campaign["treatment"] else {
            if kind == "offer" {
                findings.add(.campaignTreatment, at: campaign, .missing(member: "treatment"))
            }
            return
        }
        if let kind, kind != "offer", KindRule.kinds.contains(kind) {
            findings.add(.campaignTreatment, at: element, .treatmentWithoutOffer(kind: kind))
        }
        guard let treatment = findings.object(element, .campaignTreatment) else { return }
        if let type = findings.required("type", of: treatment, .campaignTreatment) {
            _ = findings.identifier(type, .campaignTreatment)
        }
        if let value = findings.required("value", of: treatment, .campaignTreatment) {
            _ = findings.integer(value, within: values, .campaignTreatment)
        }
    }
}
