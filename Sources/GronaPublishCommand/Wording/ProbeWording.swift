import Publishing

/// The words for what a probe asked and found.
enum ProbeWording {
    static func text(_ check: ProbeReport.Check) -> String {
        let question =
            switch check.name {
            case .createOnly: "If-None-Match: * where something is changes nothing"
            case .createRace: "of eight who create, one wins"
            case .wrongTag: "If-Match with another tag changes nothing"
            case .missingTag: "If-Match where nothing is makes nothing"
            case .rightTag: "If-Match with the tag that was given replaces"
            case .staleTag: "If-Match with the tag of before changes nothing"
            case .replaceRace: "of eight who replace, one wins"
            case .readAfterWrite: "what was written is read at once"
            case .contentType: "the content type is kept"
            case .cacheControl: "Cache-Control is kept"
            }
        var details: [String] = []
        if let winners = check.winners, check.outcome == .fails {
            details.append("\(winners) won")
        }
        if let status = check.status, check.outcome == .fails {
            details.append(status == 0 ? "no answer" : "answered \(status)")
        }
        return question + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
    }

    static func notes(_ report: ProbeReport) -> [String] {
        var notes: [String] = []
        if report.wantsBareTags {
            notes.append("tags are taken back only without their quotation marks, and sent so")
        }
        if report.hasWeakTags {
            notes.append("tags are weak for a moment after each write, which is waited for")
        }
        if report.isVersioned {
            notes.append("the bucket keeps older versions of each object by itself")
        }
        if report[.contentType] == .fails {
            notes.append("the server has to be told the type of documents: application/jose+json")
        }
        if report[.cacheControl] == .fails {
            notes.append(
                "the server has to be told Cache-Control: public, max-age=60, must-revalidate")
        }
        return notes
    }
}
