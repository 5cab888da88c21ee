import CommandLineKit
import GronaFormats
import PublishProtocol
import Publishing
import StrictJSON

/// One workspace in a run: what was found, what is due, what came of it. It holds no document.
struct RefreshLine {
    enum Result: String {
        case renewed
        /// Somebody else renewed it, or it was renewed already.
        case unchanged
        case notDue = "not-due"
        case new
        case wouldRenew = "would-renew"
        /// It is due, and this run did not get to it.
        case skipped
        case failed
    }

    let workspace: WorkspaceName
    var order: RefreshOrder?
    var look: ServedLook?
    /// Why it is due; nil where it is not.
    var reason: String?
    var result = Result.notDue
    /// Why it failed, or what needs a hand.
    var trouble: Diagnostic?
    /// The codes of what an operator must see.
    var alarms: [String] = []
    /// The same in words.
    var findings: [Diagnostic] = []
    /// What an earlier run signed and could not publish.
    var waiting: WaitingVersion?
    /// The campaigns that were switched off by finishing it.
    var switchedOff: [String] = []
    /// The version that was signed and never published, where that holds it up.
    var unpublished: Int64?
    /// The version that held it up when the signer was asked last, where nothing is due: whether it
    /// still does is asked again.
    var heldBy: Int64?
    /// Whether the signer said that nothing holds it up any more.
    var isFreed = false
    /// Whether it was tried and failed: the next run tries it last, so that nobody has to wait for
    /// what fails in every run, however near its end it is.
    private(set) var wasTriedInVain = false
    /// Whether its own keyring or policy keeps it from being looked after: no run mends that.
    var isUnusable = false
    /// What is served at the end.
    var version: Int64?
    var freshness: Freshness?
    /// Of the tokens and programs that sign for more than one workspace.
    var sharedSigner: String?

    init(_ workspace: WorkspaceName) {
        self.workspace = workspace
    }

    /// Takes what was read, and finds out whether it is due.
    mutating func take(_ look: ServedLook, at now: UnixTime) {
        self.look = look
        version = look.version
        if look.isLedgerEmpty { alarms.append(LedgerWording.empty) }
        guard look.condition.isOurs, let order, let issuedAt = look.issuedAt,
            let expiresAt = look.expiresAt
        else {
            if look.condition == .new {
                result = .new
            } else {
                reason = look.condition.rawValue
            }
            return
        }
        let fresh = order.freshness(issuedAt: issuedAt, expiresAt: expiresAt)
        freshness = fresh
        // A matter of this workspace, never of the clock.
        if let finding = LookWording.ahead(look, at: now) {
            alarms.append(finding.code)
            findings.append(finding)
        }
        if look.condition == .expired {
            reason = look.condition.rawValue
        } else {
            let state = look.kid.flatMap { order.keys[$0] }
            reason = fresh.due(at: now, signer: state)?.rawValue
        }
    }

    /// Takes what waits to be finished, due or not.
    mutating func take(_ waiting: WaitingVersion) {
        self.waiting = waiting
        reason = waiting.switchesOff.isEmpty ? reason ?? Self.kept : Self.kill
    }

    /// Why it is due: a kill, or a renewal, that was signed and could not be published.
    static let (kill, kept) = ("kill", "kept")

    /// - Parameter tried: whether anybody was asked for this workspace.
    mutating func fail(_ trouble: Diagnostic, tried: Bool = true) {
        result = .failed
        self.trouble = trouble
        wasTriedInVain = tried
    }

    /// Whether no later run gets over it by itself: somebody has to decide, or to mend something.
    var needsAPerson: Bool { trouble.map(RefreshWording.needsAPerson) ?? false }

    var isDue: Bool { reason != nil }
    /// Due, or to be asked about, and neither tried nor in somebody's hand.
    var isToDo: Bool { (isDue || heldBy != nil) && trouble == nil && result == .notDue }

    /// Whether something of its own that a person decides keeps it from being renewed, such as a
    /// version that was signed and never published.
    var isHeldUp: Bool { trouble?.exit == .negative }

    /// What ends first comes first; what nobody can read is worse than any of them.
    var deadline: UnixTime { freshness?.expiresAt ?? UnixTime.earliest }

    /// Whether devices go dark soon, or are: of what is served now.
    func isLate(at now: UnixTime) -> Bool { freshness?.isLate(at: now) ?? false }

    var json: JSONValue {
        .object([
            ("workspace", .string(workspace.text)),
            ("expires_at", freshness.map { .integer($0.expiresAt.seconds) } ?? .null),
            ("due_at", freshness.map { .integer($0.dueAt.seconds) } ?? .null),
            ("due", .boolean(isDue)), ("reason", reason.map { .string($0) } ?? .null),
            ("result", .string(result.rawValue)),
            ("version", version.map { .integer($0) } ?? .null),
            ("code", trouble.map { .string($0.code) } ?? .null),
            ("message", trouble.map { .string($0.message) } ?? .null),
            ("alarms", .array(alarms.map { .string($0) })),
            ("switched_off", .array(switchedOff.map { .string($0) })),
        ])
    }
}
