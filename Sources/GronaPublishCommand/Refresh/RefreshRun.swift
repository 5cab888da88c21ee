import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing

/// One run over many workspaces: look at all, find out what is due, renew it, the nearest end
/// first. What is wrong with one workspace is told in its line; the others go on.
struct RefreshRun {
    /// So many workspaces that the store does not answer for, one after the other, say that it
    /// answers for none.
    private static let mostUnanswered = 5
    /// So many workspaces of one token or program with bad signatures take that out of the run.
    private static let mostLies = 2

    private let context: CommandContext
    private let store: any PublicationStore
    private let ledger: any PublicationLedger
    private let place: StateFolder.OfStore
    private let trust: WorkspaceTrust
    private let user: String
    private let within: DurationSeconds?

    init(
        _ context: CommandContext, _ store: any PublicationStore,
        _ ledger: any PublicationLedger, _ place: StateFolder.OfStore,
        within: DurationSeconds?
    ) throws(Failure) {
        self.context = context
        self.store = store
        self.ledger = ledger
        self.place = place
        self.within = within
        trust = try WorkspaceTrust(context, takesPins: false)
        let identity = UserIdentity.current()
        user = identity.name ?? String(identity.userID)
    }

    /// A run takes longer than one moment; a rehearsal has one time.
    private var now: UnixTime {
        context.isRehearsal || context.call[SharedOptions.now] != nil
            ? context.now : UnixTime(SystemClock.unixTime())
    }

    private func publisher(
        _ workspace: WorkspaceName, _ ledger: any PublicationLedger
    ) throws(Failure) -> Publisher {
        Publisher(
            store: store, ledger: ledger, judge: try trust.judge(workspace, at: now), user: user,
            isRehearsal: context.isRehearsal)
    }

    // MARK: Looking

    /// Reads what is served for each workspace, and finds out what is due.
    func survey(_ entries: [WorkspaceSelection.Entry]) throws(Failure) -> [RefreshLine] {
        let snapshot: LedgerSnapshot
        do throws(PublicationLedgerError) { snapshot = try LedgerSnapshot(ledger) } catch {
            throw Failure(error)
        }
        var progress = Progress(
            context.console, unit: "workspaces", total: entries.count,
            clock: SystemClock.monotonicNanoseconds)
        var lines: [RefreshLine] = []
        lines.reserveCapacity(entries.count)
        var (unanswered, silence) = (0, Diagnostic?.none)
        for entry in entries {
            var line = RefreshLine(entry.workspace)
            do throws(Failure) {
                line.order = try order(entry, &line)
                if unanswered >= Self.mostUnanswered, let silence {
                    line.fail(silence)
                } else {
                    line.take(try look(entry.workspace, snapshot), at: now)
                    unanswered = 0
                }
            } catch {
                line.fail(error.reason)
                if error.status == .unavailable || error.status == .tryAgain {
                    unanswered += 1
                    silence = error.reason
                }
            }
            lines.append(line)
            progress.advance()
        }
        progress.finish()
        return lines
    }

    private func order(
        _ entry: WorkspaceSelection.Entry, _ line: inout RefreshLine
    ) throws(Failure) -> RefreshOrder {
        let policy = try entry.policy.get()
        guard policy.delivery == .served else {
            throw Failure(RefusalWording.diagnostic(.bundleOnly, file: nil))
        }
        var states: [KeyID: KeyState] = [:]
        for key in try trust.keyring(entry.workspace)?.keys ?? [] where key.use == .config {
            states[key.kid] = key.state
            if key.state == .current { line.sharedSigner = SharedSigner.name(key.signer) }
        }
        return RefreshOrder(policy: policy, keys: states, within: within)
    }

    private func look(
        _ workspace: WorkspaceName, _ snapshot: LedgerSnapshot
    ) throws(Failure) -> ServedLook {
        let publisher = try publisher(workspace, snapshot)
        do throws(PublishingError) { return try publisher.look() } catch {
            throw Failure(error, store: store.name)
        }
    }

    // MARK: Renewing

    /// Renews what is due, the nearest end first.
    func renew(
        _ outcome: inout RefreshOutcome, with signer: SignerSession,
        tell: (RefreshLine) -> Void
    ) {
        let staged = StagedEnvelopes(place)
        let due = outcome.lines.indices
            .filter { outcome.lines[$0].isDue && outcome.lines[$0].trouble == nil }
            .sorted { outcome.lines[$0].deadline < outcome.lines[$1].deadline }
        var lies: [String: Int] = [:]
        var (unanswered, silence) = (0, Diagnostic?.none)
        var progress = Progress(
            context.console, unit: "renewals", total: due.count,
            clock: SystemClock.monotonicNanoseconds)
        for index in due {
            var line = outcome.lines[index]
            if let shared = line.sharedSigner, lies[shared, default: 0] >= Self.mostLies {
                line.fail(RefreshWording.untrusted(shared))
            } else if unanswered >= Self.mostUnanswered, let silence {
                line.fail(silence)
            } else {
                renew(&line, &outcome, signer, staged)
                if line.trouble?.exit == .fault, let shared = line.sharedSigner {
                    lies[shared, default: 0] += 1
                }
                if let trouble = line.trouble, RefreshWording.isSilence(trouble) {
                    unanswered += 1
                    silence = trouble
                } else {
                    unanswered = 0
                }
            }
            outcome.lines[index] = line
            tell(line)
            progress.advance()
        }
        progress.finish()
    }

    private func renew(
        _ line: inout RefreshLine, _ outcome: inout RefreshOutcome, _ signer: SignerSession,
        _ staged: StagedEnvelopes
    ) {
        guard let order = line.order else { return }
        do throws(Failure) {
            let publisher = try publisher(line.workspace, ledger)
            let report = publisher.refresh(order, signer: signer, staged: staged)
            line.alarms = AlarmWording.codes(report.alarms)
            outcome.auditHead = report.auditHead ?? outcome.auditHead
            if let failure = VerdictWording.failure(report, store: store.name, file: nil) {
                line.fail(RefreshWording.reason(failure, line.workspace, store: store.name))
                return
            }
            let isRenewed: Bool
            if case .published = report.verdict { isRenewed = true } else { isRenewed = false }
            line.result = isRenewed ? .renewed : .unchanged
            line.version = report.facts?.version ?? line.version
            let payload = (report.document ?? report.after)?.payload
            if let payload {
                line.freshness = order.freshness(
                    issuedAt: payload.issuedAt, expiresAt: payload.expiresAt)
            }
        } catch {
            line.fail(error.reason)
        }
    }
}

/// What signs for more than one workspace: a token, or a program.
enum SharedSigner {
    /// Nil for what has one key, such as a file.
    static func name(_ uri: String) -> String? {
        let path = uri.prefix { $0 != "?" }
        if path.utf8.starts(with: "exec:".utf8) { return String(path) }
        guard path.utf8.starts(with: "pkcs11:".utf8) else { return nil }
        let kept = ["token=", "serial=", "manufacturer=", "model=", "slot-id="]
        let parts = path.dropFirst("pkcs11:".count).split(separator: ";").filter { part in
            kept.contains { part.utf8.starts(with: $0.utf8) }
        }
        return parts.isEmpty ? nil : "pkcs11:" + parts.sorted().joined(separator: ";")
    }
}
