import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import PublishProtocol
import Publishing
import StrictJSON

/// `doctor --accept-ledger`: somebody answers for a ledger that went back, or that knows nothing of a
/// store with a past. From then on its end is its end, and what is served, and the newest envelope of
/// each workspace that lies beside it, stand on record as seen.
struct LedgerAcceptance {
    private let context: CommandContext
    private let store: any PublicationStore
    private let ledger: any PublicationLedger
    private let trust: WorkspaceTrust
    private let user: String

    /// What is to be put on record.
    private struct Entry {
        let workspace: WorkspaceName
        let facts: DocumentFacts
        let document: JudgedDocument
    }

    init(_ context: CommandContext, _ store: any PublicationStore) throws(Failure) {
        self.context = context
        self.store = store
        ledger = try LedgerPlace.open(context, of: store, isUrgent: true)
        trust = try WorkspaceTrust(context, takesPins: false)
        let identity = UserIdentity.current()
        user = identity.name ?? String(identity.userID)
    }

    func run() throws(Failure) -> ExitStatus {
        if let shared = ledger as? StoreLedger, !context.isDryRun {
            // Nothing can be read of it before.
            try confirm("this host's copy of the ledger would begin anew")
            try asking { () throws(PublicationLedgerError) in try shared.accept() }
        }
        let entries = try plan()
        if context.isDryRun { return try end("would-accept", entries) }
        if let own = ledger as? FileLedger {
            try confirm(
                "the ledger would be taken as it is, and \(entries.count) more lines put on record")
            try asking { () throws(PublicationLedgerError) in try own.accept() }
        }
        for entry in entries {
            var line = LedgerEntry(
                workspace: entry.workspace, record: .observed(entry.facts), time: context.now,
                user: user)
            line.kid = entry.document.kid
            line.isRehearsal = context.isRehearsal
            let written = line
            try asking { () throws(PublicationLedgerError) in
                try ledger.keep(entry.document.bytes, as: entry.facts.envelope)
                _ = try ledger.append(written)
            }
        }
        return try end("accepted", entries)
    }

    private func asking<Value>(
        _ body: () throws(PublicationLedgerError) -> Value
    ) throws(Failure) -> Value {
        do throws(PublicationLedgerError) { return try body() } catch { throw Failure(error) }
    }

    // MARK: What is to be put on record

    /// Of each workspace with a keyring: what is served, and the newest envelope beside the ledger,
    /// where the ledger does not know them; the lower one first.
    private func plan() throws(Failure) -> [Entry] {
        var newest: [WorkspaceName: JudgedDocument] = [:]
        let kept: [[UInt8]]
        do throws(PublicationLedgerError) { kept = try ledger.keptEnvelopes() } catch {
            throw Failure(error)
        }
        for bytes in kept {
            guard let workspace = try? EnvelopeWorkspace.read(bytes, file: ""),
                trust.names.contains(workspace),
                let judge = try? trust.judge(workspace, at: context.now)
            else { continue }
            let document = judge.judge(bytes)
            guard let facts = document.facts,
                facts.version > newest[workspace]?.facts?.version ?? 0
            else { continue }
            newest[workspace] = document
        }
        var entries: [Entry] = []
        for workspace in trust.names.sorted() {
            let publisher = Publisher(
                store: store, ledger: ledger, judge: try trust.judge(workspace, at: context.now),
                user: user)
            let served: JudgedDocument?
            let view: LedgerView
            do throws(StoreError) { served = try publisher.served().document } catch {
                throw Failure(error, store: store.name)
            }
            do throws(PublicationLedgerError) { view = try ledger.view(of: workspace) } catch {
                throw Failure(error)
            }
            var found: [Entry] = []
            for document in [newest[workspace], served].compactMap(\.self) {
                guard let facts = document.facts, !found.contains(where: { $0.facts == facts }),
                    view.payloads[facts.version]?.contains(facts.payload) != true
                else { continue }
                found.append(Entry(workspace: workspace, facts: facts, document: document))
            }
            entries += found.sorted { $0.facts.version < $1.facts.version }
        }
        return entries
    }

    // MARK: Asking and answering

    private func confirm(_ what: String) throws(Failure) {
        guard !context.assumesYes else { return }
        if !context.console.preferences.noInput, !context.wantsJSON, Terminal.isThere {
            try context.console.flush()
            if Terminal.isConfirmed("\(what)? Type accept to go on: ", "accept") { return }
        }
        throw Failure(
            Diagnostic(
                code: "ledger.unconfirmed", message: "not confirmed: \(what)", file: store.name,
                help: "--yes says that it is meant", exit: .refused))
    }

    private func end(_ result: String, _ entries: [Entry]) throws(Failure) -> ExitStatus {
        if context.wantsJSON {
            context.console.json(
                .object([
                    ("store", .string(store.name)), ("result", .string(result)),
                    (
                        "observed",
                        .array(
                            entries.map {
                                .object([
                                    ("workspace", .string($0.workspace.text)),
                                    ("version", .integer($0.facts.version)),
                                    ("digest", .string($0.facts.payload.hex)),
                                ])
                            })
                    ),
                ]))
        } else {
            for entry in entries {
                context.console.line(
                    "\(entry.workspace) version \(entry.facts.version): seen served")
            }
            context.console.line(
                context.isDryRun
                    ? "the ledger of \(store.name) would be taken as it is"
                    : "the ledger of \(store.name) is taken as it is")
        }
        try context.console.flush()
        return .success
    }
}
