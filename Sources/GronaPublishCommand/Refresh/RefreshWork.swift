import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing
import StrictJSON
import Synchronization

/// What is done for one workspace of a run, on any thread.
struct RefreshWork: Sendable {
    let store: any PublicationStore
    let ledger: any PublicationLedger
    let staged: StagedEnvelopes
    /// Versions that held renewals up, as the signer told an earlier run.
    let held: [WorkspaceName: Int64]
    /// Nil where they spare nothing.
    let tags: ServedTags?
    let trust: WorkspaceTrust
    let user: String
    let within: DurationSeconds?
    /// The one time of a rehearsal.
    let fixedTime: UnixTime?
    let isRehearsal: Bool
    /// Whether who reads it may call a few commands only.
    var isForOperators = false
    /// Whether this process was asked to end.
    var isStopped: @Sendable () -> Bool = { StopRequest.isNoted }
    let clock = SteadyClock(
        wall: UnixTime(SystemClock.unixTime()), uptime: SystemClock.uptimeNanoseconds())

    private func publisher(
        _ workspace: WorkspaceName, _ ledger: any PublicationLedger
    ) throws(Failure) -> Publisher {
        let now = fixedTime ?? UnixTime(SystemClock.unixTime())
        return Publisher(
            store: store, ledger: ledger, judge: try trust.judge(workspace, at: now), user: user,
            isRehearsal: isRehearsal)
    }

    /// Why nothing is begun any more.
    private var stopped: Diagnostic? { isStopped() ? RefreshWording.stopped : nil }

    // MARK: Looking

    func look(
        at entry: WorkspaceSelection.Entry, _ snapshot: LedgerSnapshot, _ silence: RefreshSilence
    ) -> RefreshLine {
        var line = RefreshLine(entry.workspace)
        do throws(Failure) {
            line.order = try order(entry, &line)
            if let reason = stopped ?? silence.notAsked {
                line.fail(reason, tried: false)
                remember(&line, snapshot)
                return line
            }
            silence.prepare(store)
            let publisher = try publisher(entry.workspace, snapshot)
            do throws(PublishingError) {
                line.take(try publisher.look(tags, asksClaims: true), at: publisher.judge.now)
                try wait(&line, publisher)
                if line.reason == nil, line.waiting == nil, line.look?.condition.isOurs ?? false {
                    line.heldBy = held[line.workspace]
                }
            } catch {
                throw Failure(error, store: store.name)
            }
            silence.wasBroken()
        } catch {
            line.fail(error.reason)
            line.isUnusable = error.reason.exit == .configuration
            remember(&line, snapshot)
            if RefreshWording.isSilence(error.reason) {
                silence.lasts(entry.workspace, error.reason)
            }
        }
        return line
    }

    /// Finds out what an earlier run on this host signed and could not publish.
    private func wait(
        _ line: inout RefreshLine, _ publisher: Publisher
    ) throws(PublishingError) {
        guard line.look?.condition.isOurs ?? false, staged.read(line.workspace) != nil else {
            return
        }
        var publisher = publisher
        publisher.staged = staged
        do throws(StoreError) {
            let served = try publisher.served().document
            if let waiting = publisher.waiting(on: served) { line.take(waiting) }
        } catch {
            throw .store(error)
        }
    }

    /// Asks the signer whether a version still holds a workspace up that is not due.
    private func askWhatHolds(_ line: inout RefreshLine, _ signer: some Renewing) {
        guard let held = line.heldBy else { return }
        line.heldBy = nil
        if held <= line.version ?? 0 {
            line.isFreed = true
            return
        }
        guard let kept = try? ledger.newestServed(of: line.workspace), let bytes = kept.bytes,
            let envelope = try? JSONDocument.parse(bytes).root,
            let floor = signer.standing(of: envelope)?.floor
        else { return }
        line.isFreed = floor <= line.version ?? 0
    }

    /// The line of a workspace that nobody asked for, where that is a fault.
    func look(
        atLeftOut workspace: WorkspaceName, _ selection: WorkspaceSelection,
        _ snapshot: LedgerSnapshot, _ silence: RefreshSilence
    ) -> RefreshLine? {
        let entry = WorkspaceSelection.Entry(
            workspace: workspace, policy: .success(.undeclared(workspace)))
        var line = look(at: entry, snapshot, silence)
        guard let problem = selection.problem(ofLeftOut: workspace, line.look) else { return nil }
        line.fail(problem)
        line.isUnusable = true
        return line
    }

    /// What the ledger kept of what was served last says when it ends, where the store does not.
    private func remember(_ line: inout RefreshLine, _ snapshot: LedgerSnapshot) {
        guard ledger is FileLedger, let order = line.order,
            let kept = try? snapshot.newestServed(of: line.workspace), let bytes = kept.bytes,
            let publisher = try? publisher(line.workspace, snapshot),
            let payload = publisher.judge.judge(bytes).payload
        else { return }
        line.freshness = order.freshness(
            issuedAt: payload.issuedAt, expiresAt: payload.expiresAt)
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

    // MARK: Renewing

    struct Renewal: Sendable {
        var line: RefreshLine
        var auditHead: String?
    }

    func renew(
        _ line: RefreshLine, with signer: SignerSession, _ silence: RefreshSilence,
        _ lies: RefreshLies
    ) -> Renewal {
        var done = Renewal(line: line)
        if let shared = line.sharedSigner, lies.areTooMany(of: shared) {
            done.line.fail(RefreshWording.untrusted(shared), tried: false)
            return done
        }
        if line.heldBy != nil {
            askWhatHolds(&done.line, signer.asking(for: line.sharedSigner))
            return done
        }
        if let stopped {
            done.line.fail(stopped, tried: false)
            done.line.result = .skipped
            return done
        }
        if let reason = silence.notAsked {
            done.line.fail(reason, tried: false)
            return done
        }
        if let wasSet {
            done.line.fail(wasSet)
            return done
        }
        silence.prepare(store)
        renew(&done, signer.asking(for: line.sharedSigner))
        done.line.trouble = done.line.trouble.map { SignerByHand.told($0, signer.command, .renew) }
        if done.line.trouble?.exit == .fault, let shared = line.sharedSigner { lies.add(shared) }
        if let trouble = done.line.trouble, RefreshWording.isSilence(trouble) {
            silence.lasts(line.workspace, trouble)
        } else {
            silence.wasBroken()
        }
        return done
    }

    /// That the clock was set since the run began.
    private var wasSet: Diagnostic? {
        let now = UnixTime(SystemClock.unixTime())
        guard fixedTime == nil,
            let problem = clock.problem(wall: now, uptime: SystemClock.uptimeNanoseconds())
        else { return nil }
        return RefreshWording.clock(problem, now: now).reason
    }

    private func renew(_ done: inout Renewal, _ signer: some Renewing) {
        guard let order = done.line.order else { return }
        let workspace = done.line.workspace
        do throws(Failure) {
            let publisher = try publisher(workspace, ledger)
            let report = publisher.refresh(order, signer: signer, staged: staged)
            done.line.alarms += AlarmWording.codes(report.alarms)
            done.line.switchedOff = report.switchedOff
            defer { done.line.findings += Self.findings(report.alarms, done.line) }
            done.auditHead = report.auditHead
            if let failure = VerdictWording.failure(report, store: store.name, file: nil) {
                if case .signer(.outdated(let signed, _, _))? = report.failure {
                    done.line.unpublished = signed?.number
                }
                var tried = true
                if case .signer(.notAsked)? = report.failure { tried = false }
                // A signature of another time than ours may be ours that was set.
                if case .signer(.differs(.issued))? = report.failure, let wasSet {
                    done.line.fail(wasSet)
                    return
                }
                let words = OutdatedWording(
                    workspace: workspace, store: StatusAdvice.word(store.name),
                    isForOperators: isForOperators)
                done.line.fail(RefreshWording.reason(failure, report, words), tried: tried)
                return
            }
            var isRenewed = !report.finished.isEmpty
            if case .published = report.verdict { isRenewed = true }
            done.line.result = isRenewed ? .renewed : .unchanged
            done.line.version = report.facts?.version ?? done.line.version
            if let payload = (report.document ?? report.after)?.payload {
                done.line.freshness = order.freshness(
                    issuedAt: payload.issuedAt, expiresAt: payload.expiresAt)
            }
        } catch {
            done.line.fail(error.reason)
        }
    }
}

extension RefreshWork {
    /// What an operator must see, and whether it is mended.
    private static func findings(_ alarms: [Alarm], _ line: RefreshLine) -> [Diagnostic] {
        AlarmWording.diagnostics(alarms, file: nil).map { finding in
            guard line.result == .renewed, finding.code.utf8.starts(with: "served.".utf8) else {
                return finding
            }
            var finding = finding
            finding.message +=
                "; it is mended" + (line.version.map { ": version \($0) is served" } ?? "")
            finding.help = "find out who, or what, changed the store"
            return finding
        }
    }
}

/// Bad signatures, by the token or program that gave them: those of two workspaces take it out of
/// the run.
final class RefreshLies: Sendable {
    private static let most = 2
    private let counts = Mutex<[String: Int]>([:])

    func areTooMany(of signer: String) -> Bool {
        counts.withLock { $0[signer, default: 0] >= Self.most }
    }

    func add(_ signer: String) {
        counts.withLock { $0[signer, default: 0] += 1 }
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
