internal import GronaFormats
internal import StrictJSON

/// `waivers`: accepted findings, each with a reason.
///
/// Only findings about judgement can be accepted: texts that look like personal data, segments,
/// times and lifetimes. What an SDK or a signer would refuse stays refused.
enum WaiversRule {
    static let members = ["file", "pointer", "rule", "reason"]

    static let waivable: [RuleCode] = [
        .campaignEmail, .campaignPhone, .campaignCustomerID, .campaignSegment, .campaignNeverOn,
        .workspaceUnoperable, .workspaceAlwaysDue,
    ]

    static func read(_ workspace: JSONElement, _ findings: inout Findings) -> [WaiverEntry] {
        guard let element = workspace["waivers"],
            let list = findings.array(element, .workspaceWaivers)
        else { return [] }
        return list.elements.compactMap { waiver($0, &findings) }
    }

    private static func waiver(_ element: JSONElement, _ findings: inout Findings) -> WaiverEntry? {
        guard findings.object(element, .workspaceWaivers) != nil else { return nil }
        findings.unknownMembers(of: element, known: members, .workspaceMember)
        var texts: [String: String] = [:]
        for name in members {
            guard let value = findings.required(name, of: element, .workspaceWaivers),
                let text = findings.string(value, .workspaceWaivers)
            else { continue }
            texts[name] = text
            if name == "reason", text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) {
                findings.add(
                    .workspaceWaivers, at: value, .form(expected: .notEmpty, found: text))
            }
            if name == "rule", !waivable.contains(where: { $0.rawValue == text }) {
                findings.add(.workspaceWaivers, at: value, .unwaivable(rule: text))
                texts[name] = nil
            }
        }
        guard let file = texts["file"], let pointer = texts["pointer"], let rule = texts["rule"],
            let reason = texts["reason"]
        else { return nil }
        return WaiverEntry(
            waiver: Waiver(file: file, pointer: pointer, rule: rule, reason: reason),
            element: element)
    }
}
