internal import GronaFormats
internal import StrictJSON

/// `segments`: opaque ids, never names or addresses (signed-configuration: Who does what, only
/// opaque segment ids).
enum SegmentsRule {
    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        guard let element = campaign["segments"],
            let list = findings.array(element, .campaignSegments)
        else { return }
        for segment in list.elements {
            guard let text = findings.string(segment, .campaignSegments) else { continue }
            if text.utf8.isEmpty {
                findings.add(
                    .campaignSegments, at: segment, .form(expected: .notEmpty, found: text))
            } else if Identifier(text) == nil {
                findings.add(.campaignSegment, .warning, at: segment, .segment(text))
            }
        }
    }
}
