import GronaFormats
import PublishProtocol
import StrictJSON

/// A line of the ledger: `{"event", "workspace", "time", "user", "version", "payload", "envelope",
/// …}` and what the log adds to chain it.
enum LedgerLine {
    static let observed = "observed"
    static let claimed = "claim"
    static let swapped = "swap"
    static let bundled = "bundle"
    static let refused = "refusal"

    static func json(_ entry: LedgerEntry) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("workspace", .string(entry.workspace.text)), ("time", .integer(entry.time.seconds)),
            ("user", .string(entry.user)),
        ]
        switch entry.record {
        case .observed(let document):
            members += [("event", .string(observed))] + facts(document)
        case .claimed(let document, let condition):
            members += [("event", .string(claimed))] + facts(document)
            if case .matches(let tag) = condition { members.append(("base", .string(tag.text))) }
        case .swapped(let document, let result):
            members += [("event", .string(swapped)), ("result", .string(result.rawValue))]
            members += facts(document)
        case .bundled(let document):
            members += [("event", .string(bundled))] + facts(document)
        case .refused(let document, let code):
            members += [("event", .string(refused)), ("code", .string(code))]
            members += document.map(facts) ?? []
        }
        if let kid = entry.kid { members.append(("kid", .string(kid.text))) }
        if let head = entry.auditHead { members.append(("audit", .string(head))) }
        if entry.isRehearsal { members.append(("rehearsal", .boolean(true))) }
        return .object(members)
    }

    private static func facts(_ document: DocumentFacts) -> [(String, JSONValue)] {
        [
            ("version", .integer(document.version)), ("payload", .string(document.payload.hex)),
            ("envelope", .string(document.envelope.hex)),
        ]
    }

    /// Whether a line tells of something that was only rehearsed.
    static func isOfRehearsal(_ line: JSONElement) -> Bool { line["rehearsal"]?.boolean ?? false }

    /// That nothing was published, and the envelope that it is about; nil for another line, and for
    /// what somebody mistyped.
    static func refusal(
        _ line: JSONElement
    ) -> (refusal: LedgerRefusal, envelope: ContentDigest)? {
        guard line["event"]?.utf8?.elementsEqual(refused.utf8) ?? false,
            let code = line["code"]?.string, !code.utf8.elementsEqual("campaign.unknown".utf8),
            let time = line["time"]?.integer, let version = line["version"]?.integer,
            let envelope = line["envelope"]?.string.flatMap(ContentDigest.init(hex:))
        else { return nil }
        return (LedgerRefusal(code: code, time: UnixTime(time), version: version), envelope)
    }

    /// What a line says about a workspace's documents; nil for one about something else.
    static func read(_ line: JSONElement, workspace: WorkspaceName) -> LedgerRecord? {
        guard line["workspace"]?.utf8?.elementsEqual(workspace.text.utf8) ?? false,
            let event = line["event"]?.string, let version = line["version"]?.integer,
            let payload = line["payload"]?.string.flatMap(ContentDigest.init(hex:)),
            let envelope = line["envelope"]?.string.flatMap(ContentDigest.init(hex:))
        else { return nil }
        let document = DocumentFacts(version: version, payload: payload, envelope: envelope)
        switch event {
        case observed: return .observed(document)
        case claimed: return .claimed(document, .absent)
        case swapped:
            let result = line["result"]?.string.flatMap(SwapResult.init(rawValue:))
            return result.map { .swapped(document, $0) }
        case bundled: return .bundled(document)
        default: return nil
        }
    }
}
