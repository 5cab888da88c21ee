internal import GronaFormats
internal import StrictJSON

/// `starts_at`, `ends_at`: Unix seconds or RFC 3339 with an offset, between 2020 and 2100
/// (signed-configuration: Time values); the campaign is on from the first until before the second.
enum TimesRule {
    static let members = ["starts_at", "ends_at"]

    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        let start = campaign["starts_at"].flatMap { check($0, &findings) }
        let end = campaign["ends_at"].flatMap { check($0, &findings) }
        if let start, let end, end <= start, let element = campaign["ends_at"] {
            findings.add(
                .campaignNeverOn, .warning, at: element, .neverOn(startsAt: start, endsAt: end))
        }
    }

    /// The Unix seconds that a source's time means, where it is well formed and in bounds.
    static func unixSeconds(_ element: JSONElement) -> Int64? {
        if let seconds = element.integer { return seconds }
        guard let text = element.string else { return nil }
        return try? UnixTime(rfc3339: text).seconds
    }

    private static func check(_ element: JSONElement, _ findings: inout Findings) -> Int64? {
        switch element.kind {
        case .number:
            guard let seconds = findings.integer(element, .campaignTimes) else { return nil }
            return bounded(seconds, element, &findings)
        case .string:
            let text = element.string ?? ""
            do throws(TimeError) {
                return bounded(try UnixTime(rfc3339: text).seconds, element, &findings)
            } catch {
                findings.add(.campaignTimes, at: element, .time(error, found: text))
                return nil
            }
        default:
            return findings.mistyped(element, .time, .campaignTimes)
        }
    }

    private static func bounded(
        _ seconds: Int64, _ element: JSONElement, _ findings: inout Findings
    ) -> Int64? {
        let bounds = UnixTime.earliest.seconds...UnixTime.latest.seconds
        guard bounds.contains(seconds) else {
            findings.add(
                .campaignTimes, at: element,
                .range(found: seconds, atLeast: bounds.lowerBound, atMost: bounds.upperBound))
            return nil
        }
        return seconds
    }
}
