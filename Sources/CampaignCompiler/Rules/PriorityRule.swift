internal import GronaFormats
internal import StrictJSON

/// `priority`: an integer; the highest is offered a placement first.
enum PriorityRule {
    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        guard let element = campaign["priority"] else { return }
        _ = findings.integer(element, .campaignPriority)
    }
}
