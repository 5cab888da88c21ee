import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import PublishProtocol
import Publishing
import StrictJSON

/// Looks at what is served as devices see it, and holds it against the ledger where there is one.
struct HealthCheck: Sendable {
    let store: any PublicationStore
    private var ledger: LedgerSnapshot?
    /// Why the ledger cannot be asked.
    let ledgerTrouble: Diagnostic?
    /// Whether all publishers write to the ledger, so that what it does not know is nobody's.
    private let isShared: Bool
    private let trust: WorkspaceTrust
    private let time: UnixTime
    private let now: UnixTime

    init(_ context: CommandContext, at time: UnixTime) throws(Failure) {
        self.time = time
        now = context.now
        store = try context.openPublicStore(try context.from())
        trust = try WorkspaceTrust(context, takesPins: true)
        // Where it cannot be asked, the rest is looked at all the same.
        var found: LedgerSnapshot?
        var trouble: Diagnostic?
        var isShared = false
        do throws(Failure) {
            isShared = try context.ledger() != nil
            let hasState = try context.settings().value(SharedSettings.state) != nil
            if isShared || hasState {
                let log = try LedgerPlace.open(context, of: store)
                do throws(PublicationLedgerError) { found = try LedgerSnapshot(log) } catch {
                    throw Failure(error)
                }
            }
        } catch {
            trouble = error.reason
        }
        ledger = found
        ledgerTrouble = trouble
        self.isShared = isShared && found != nil
    }

    /// The same with the ledger as it is now: what was found while somebody published may be what
    /// the ledger did not know yet.
    func renewed() -> HealthCheck? {
        guard let ledger, let now = try? ledger.again() else { return nil }
        var check = self
        check.ledger = now
        return check
    }

    /// Whether a ledger is here that knows what was published: then what it does not know was never
    /// published.
    private var knowsOthers: Bool { ledger.map { !$0.names.isEmpty } ?? false }

    /// The workspaces that nobody asked for, and that are a fault.
    func leftOut(of selection: WorkspaceSelection) -> [HealthResult] {
        let views = knowsOthers ? ledger.flatMap { try? $0.views() } : nil
        return selection.leftOut(servedBy: views, keys: trust.names).compactMap { workspace in
            let result = look(
                at: .init(workspace: workspace, policy: .success(.undeclared(workspace))))
            // What only a keyring tells of, and cannot be read, may be served nowhere.
            guard views != nil || result.look != nil,
                let problem = selection.problem(ofLeftOut: workspace, result.look)
            else { return nil }
            return HealthResult(workspace, result.look, problem)
        }
    }

    func look(at entry: WorkspaceSelection.Entry) -> HealthResult {
        let workspace = entry.workspace
        do throws(Failure) {
            let policy = try entry.policy.get()
            guard policy.delivery == .served else {
                throw Failure(RefusalWording.diagnostic(.bundleOnly, file: nil))
            }
            let publisher = Publisher(
                store: store, ledger: ledger ?? NoLedger(),
                judge: try trust.judge(workspace, at: time), user: "")
            let look: ServedLook
            do throws(PublishingError) { look = try publisher.look() } catch {
                var failure = Failure(error, store: store.name)
                if failure.reason.code.utf8.elementsEqual("store.denied".utf8) {
                    failure.reason.help =
                        "this asks without a token, as a device does: look at who may read the"
                        + " address, or whether it is the right one"
                }
                throw failure
            }
            let day = LaterDay(time, after: now, policy)
            if look.condition == .rolledBack, isBehindACache(look) {
                return HealthResult(
                    workspace, look, LookWording.expiring(look, at: time, later: day),
                    isCached: true)
            }
            let isWrong = look.isDemo && policy.isDeclared && policy.environment != .demo
            if look.condition == .new, knowsOthers { return HealthResult(workspace, look, nil) }
            var result = HealthResult(
                workspace, look,
                LookWording.finding(
                    look, at: time, later: day, isShared: isShared)
                    ?? (isWrong ? LookWording.demo : nil))
            result.remark = LookWording.ahead(look, at: time)
            return result
        } catch {
            return HealthResult(workspace, nil, error.reason)
        }
    }
}

extension HealthCheck {
    /// Whether the newest version is so young that caches may still hand out the one before it, as
    /// they are told to.
    private func isBehindACache(_ look: ServedLook) -> Bool {
        guard let view = try? ledger?.view(of: look.workspace), let at = view.newestServedAt,
            let version = look.version, let payload = look.payload,
            view.payloads[version]?.contains(payload) ?? false
        else { return false }
        let age = now.seconds - at
        return (0..<Self.cacheAge).contains(age)
    }

    /// `max-age` of what is served at most, in seconds (delivery: Caching), and a minute for a swap
    /// that is seen before its line is written.
    private static let cacheAge: Int64 = 360
}

/// What came of the look at one workspace.
struct HealthResult: Sendable {
    let workspace: WorkspaceName
    /// Nil where it could not be read.
    let look: ServedLook?
    /// Nil where all is well.
    let finding: Diagnostic?
    /// Whether a cache has the version before the newest one.
    let isCached: Bool
    /// What is worth to be known, and no fault.
    var remark: Diagnostic?

    init(
        _ workspace: WorkspaceName, _ look: ServedLook?, _ finding: Diagnostic?,
        isCached: Bool = false
    ) {
        self.workspace = workspace
        self.look = look
        self.finding = finding
        self.isCached = isCached
    }

    /// Whether another look at the ledger may tell more.
    var mayBeLate: Bool {
        guard let finding else { return false }
        return ["served.unrecorded", "served.rolled-back", "served.other-content"]
            .contains { finding.code.utf8.elementsEqual($0.utf8) }
    }

    var isGood: Bool { finding == nil }

    var findings: [Diagnostic] { [finding, remark].compactMap(\.self) }

    var word: String {
        guard let look else { return "unreadable" }
        if isCached { return finding == nil ? "cached" : "expiring" }
        guard look.condition == .fine, let finding else {
            return look.condition == .new && finding != nil ? "missing" : look.condition.rawValue
        }
        return switch finding.code {
        case LookWording.late: "expiring"
        case WorkspaceSelection.leftOut: "left-out"
        case LookWording.demo.code: "demo"
        case UntrustedKeyWording.code: "untrusted-key"
        default: "unrecorded"
        }
    }

    func json(at time: UnixTime) -> JSONValue {
        func seconds(_ time: UnixTime?) -> JSONValue { time.map { .integer($0.seconds) } ?? .null }
        return .object([
            ("workspace", .string(workspace.text)), ("ok", .boolean(isGood)),
            ("state", .string(word)), ("code", finding.map { .string($0.code) } ?? .null),
            ("message", finding.map { .string($0.message) } ?? .null),
            ("remarks", .array(remark.map { [.string($0.code)] } ?? [])),
            ("version", look?.version.map { .integer($0) } ?? .null),
            ("kid", look?.kid.map { .string($0.text) } ?? .null),
            ("digest", look?.payload.map { .string($0.hex) } ?? .null),
            ("issued_at", seconds(look?.issuedAt)), ("expires_at", seconds(look?.expiresAt)),
            (
                "left",
                look?.expiresAt.map { .integer($0.since(time).seconds) } ?? .null
            ),
        ])
    }
}

/// A ledger that knows nothing and takes nothing, for who only reads.
private struct NoLedger: PublicationLedger {
    func view(of workspace: WorkspaceName) throws(PublicationLedgerError) -> LedgerView {
        LedgerView()
    }
    func views() throws(PublicationLedgerError) -> [WorkspaceName: LedgerView] { [:] }
    func append(_ entry: LedgerEntry) throws(PublicationLedgerError) -> LedgerAnswer { .written }
    func keep(
        _ envelope: [UInt8], as digest: ContentDigest
    ) throws(PublicationLedgerError) {}
    func newestServed(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> KeptEnvelope? { nil }
    func workspaces() throws(PublicationLedgerError) -> [WorkspaceName] { [] }
}
