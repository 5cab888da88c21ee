import CommandLineKit
import DeviceModel
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing
import StrictJSON

/// What is served for a workspace, and what needs a hand.
struct WorkspaceStatus {
    /// The share of its lifetime below which a served config is an alarm: a quarter.
    private static let quarters: Int64 = 4

    struct Bundle {
        let facts: DocumentFacts
        let kid: String
        let expiresAt: UnixTime?
    }

    enum State: String {
        case fine = "ok"
        case expiring
        case expired
        case missing
        case untrusted
        case refused
        case rolledBack = "rolled-back"
        case otherContent = "other-content"
        case bundleOnly = "bundle-only"
    }

    let workspace: WorkspaceName
    let survey: Survey
    let bundles: [Bundle]
    let state: State

    init(_ publisher: Publisher, isServed: Bool, now: UnixTime) throws(PublishingError) {
        workspace = publisher.judge.workspace
        survey = try publisher.survey()
        do { bundles = try Self.bundles(publisher) } catch { throw .store(error) }
        state = isServed ? Self.state(survey, now) : .bundleOnly
    }

    private static func bundles(_ publisher: Publisher) throws(StoreError) -> [Bundle] {
        let reader = HistoryReader(store: publisher.store, judge: publisher.judge)
        var bundles: [Bundle] = []
        for name in try publisher.store.bundles(of: publisher.judge.workspace) {
            guard let document = try reader.bundle(name), let facts = document.facts,
                HistoryReader.bears(facts, name)
            else { continue }
            bundles.append(
                Bundle(
                    facts: facts, kid: document.kid?.text ?? "",
                    expiresAt: document.payload?.expiresAt))
        }
        return bundles
    }

    private static func state(_ survey: Survey, _ now: UnixTime) -> State {
        if survey.reading == .absent { return .missing }
        guard let document = survey.document, document.facts != nil else { return .untrusted }
        if survey.marks.isRolledBack(survey.reading) { return .rolledBack }
        if survey.base.otherContent != nil { return .otherContent }
        if let code = document.outcome.code {
            return code == .payloadExpired ? .expired : .refused
        }
        guard let payload = document.payload else { return .refused }
        let left = payload.expiresAt.since(now).seconds
        let lifetime = payload.expiresAt.since(payload.issuedAt).seconds
        return left < lifetime / quarters ? .expiring : .fine
    }

    var needsAHand: Bool {
        switch state {
        case .fine, .bundleOnly: !alarms.isEmpty
        case .expiring, .expired, .missing, .untrusted, .refused, .rolledBack, .otherContent: true
        }
    }

    /// Codes of what needs a hand.
    var alarms: [String] {
        AlarmWording.codes(found) + (state == .expiring ? ["served.expiring"] : [])
    }

    /// What the store and the ledger show.
    var found: [Alarm] { survey.alarms(isServed: state != .bundleOnly) }

    var json: JSONValue {
        let payload = survey.document?.payload
        let facts = survey.document?.facts
        return .object([
            ("workspace", .string(workspace.text)),
            ("version", facts.map { .integer($0.version) } ?? .null),
            ("next_version", survey.marks.nextVersion.map { .integer($0) } ?? .null),
            ("kid", survey.document?.kid.map { .string($0.text) } ?? .null),
            ("issued_at", payload.map { .integer($0.issuedAt.seconds) } ?? .null),
            ("expires_at", payload.map { .integer($0.expiresAt.seconds) } ?? .null),
            ("digest", facts.map { .string($0.payload.hex) } ?? .null),
            ("state", .string(state.rawValue)),
            ("alarms", .array(alarms.map { .string($0) })),
            (
                "bundles",
                .array(
                    bundles.map { bundle in
                        .object([
                            ("version", .integer(bundle.facts.version)),
                            ("digest", .string(bundle.facts.payload.hex)),
                            ("kid", .string(bundle.kid)),
                            (
                                "expires_at",
                                bundle.expiresAt.map { .integer($0.seconds) } ?? .null
                            ),
                        ])
                    })
            ),
        ])
    }
}
