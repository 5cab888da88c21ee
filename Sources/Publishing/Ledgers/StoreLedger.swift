package import GronaFormats
import HTTPTransport
import Ledger
import Libcrypto
import LinuxIO
package import ProjectFiles
package import PublishProtocol
import StrictJSON
import Synchronization

/// A ledger in a store, for publishers on many hosts.
///
/// Each record is an object of its own, `ledger/<number, 16 digits>.json`, that is created and never
/// changed: the store's create-only write decides who appends next. A record is a line of the chain
/// that a local ledger has. Each host keeps a copy of the chain beside its other memory, so it reads
/// what is new alone, and sees when the store lost or changed what was there. What was seen served
/// is kept as `envelopes/<digest>.json`.
package struct StoreLedger: PublicationLedger {
    /// How often an append begins again when others append at the same time.
    private static let attempts = 100
    /// How far beyond the end it is looked for a record that one that is gone would hide.
    private static let stepsBeyond = [2, 3, 4, 5, 9, 17, 33]

    package let place: RemoteLedgerPlace
    package let objects: ConditionalObjects
    private let copy: FileLedger
    private let log: HashChainLog
    private let folder: FilePath
    /// Whether this run has looked for records beyond the end.
    private let lookedBeyond = Once()
    /// Whether the copy was held against the store in this run, and agreed.
    private let isKnown = Once()

    /// Whether something was done; for all copies of a value.
    private final class Once: Sendable {
        let isDone = Mutex(false)
    }

    /// - Parameter memory: where this host keeps its copy.
    package init(
        _ place: RemoteLedgerPlace, objects: ConditionalObjects, memory: StateFolder.OfStore,
        isRehearsal: Bool = false
    ) {
        self.place = place
        self.objects = objects
        folder = memory.folder
        let path = memory.folder.appending("shared.ndjson")
        copy = FileLedger(at: path, envelopes: memory.envelopes, isRehearsal: isRehearsal)
        log = HashChainLog(at: path)
    }

    package var name: String { place.name }

    /// Takes the ledger as the store has it by now, after it went back: this host's copy begins anew.
    package func accept() throws(PublicationLedgerError) {
        do throws(SystemError) {
            for suffix in ["", ".mark"] {
                let file = FilePath(bytes: log.path.bytes + Array(suffix.utf8))
                _ = try FileSystem.removeFile(file)
            }
        } catch {
            throw .envelope(.system(error))
        }
    }

    package func view(of workspace: WorkspaceName) throws(PublicationLedgerError) -> LedgerView {
        try update()
        return try copy.view(of: workspace)
    }

    package func views() throws(PublicationLedgerError) -> [WorkspaceName: LedgerView] {
        try update()
        return try copy.views()
    }

    package func workspaces() throws(PublicationLedgerError) -> [WorkspaceName] {
        try update()
        return try copy.workspaces()
    }

    package func servedPayloads(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> Set<ContentDigest> {
        try update()
        return try copy.servedPayloads(of: workspace)
    }

    package func newestServed(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> KeptEnvelope? {
        try update()
        guard let kept = try copy.newestServed(of: workspace), kept.bytes == nil else {
            return try copy.newestServed(of: workspace)
        }
        let bytes = try asking { () throws(StoreError) in
            try place.envelope(kept.facts.envelope.hex).map { url throws(StoreError) in
                try objects.read(url)?.bytes
            } ?? nil
        }
        let isWhole = bytes.map { SHA256.digest($0).content == kept.facts.envelope } ?? false
        return KeptEnvelope(facts: kept.facts, bytes: isWhole ? bytes : nil)
    }

    package func keep(
        _ envelope: [UInt8], as digest: ContentDigest
    ) throws(PublicationLedgerError) {
        guard let url = place.envelope(digest.hex) else { return }
        for _ in 0..<Self.attempts {
            // Where it is there already, that is a no.
            let answer = try asking { () throws(StoreError) in try objects.create(url, envelope) }
            if answer != .notKnown { break }
        }
        try copy.keep(envelope, as: digest)
    }

    /// Those that this host has; the newest of a workspace is had from the store.
    package func keptEnvelopes() throws(PublicationLedgerError) -> [[UInt8]] {
        try copy.keptEnvelopes()
    }

    // MARK: Appending

    package func append(_ entry: LedgerEntry) throws(PublicationLedgerError) -> LedgerAnswer {
        for attempt in 0..<Self.attempts {
            // A number that another host has by now is refused by the store.
            let tip = attempt == 0 ? try known() : try update()
            if case .claimed(let document, _) = entry.record,
                try copy.conflicts(with: document, in: entry.workspace)
            {
                return .conflict
            }
            let number = tip.lines + 1
            let line: [UInt8]
            do throws(LedgerError) {
                line = try LogLine.encode(
                    LedgerLine.json(entry), sequence: number, previous: tip.head)
            } catch {
                throw .log(log.path, error)
            }
            if try create(number, line) {
                try take(line, number: number, after: tip)
                return .written
            }
        }
        throw .busy(log.path)
    }

    /// False where another record has the number.
    private func create(
        _ number: Int, _ line: [UInt8]
    ) throws(PublicationLedgerError) -> Bool {
        guard let url = place.record(number) else { return false }
        return try asking { () throws(StoreError) in
            for _ in 0..<Publication.maximumSends {
                switch try objects.create(url, line) {
                case .done: return true
                case .lost: return false
                case .notKnown:
                    guard let found = try objects.read(url) else { continue }
                    return found.bytes == line
                }
            }
            throw .busy(status: 500)
        }
    }

    // MARK: The copy

    /// The end of the copy, if it was held against the store in this run.
    private func known() throws(PublicationLedgerError) -> LogTip {
        guard isKnown.isDone.withLock({ $0 }) else { return try update() }
        do throws(LedgerError) { return try log.tip() } catch { throw .log(log.path, error) }
    }

    /// Takes over what is new.
    @discardableResult
    private func update() throws(PublicationLedgerError) -> LogTip {
        isKnown.isDone.withLock { $0 = false }
        let tip = try newest()
        isKnown.isDone.withLock { $0 = true }
        return tip
    }

    private func newest() throws(PublicationLedgerError) -> LogTip {
        var tip: LogTip
        do throws(LedgerError) { tip = try log.tip() } catch { throw .log(log.path, error) }
        if tip.lines > 0 {
            guard let last = try record(tip.lines), SHA256.digest(last) == tip.head else {
                throw .wentBack(name, record: tip.lines)
            }
        }
        while true {
            while let next = try record(tip.lines + 1) {
                tip = try take(next, number: tip.lines + 1, after: tip)
            }
            guard try hasBeyond(tip.lines) else { return tip }
        }
    }

    /// The numbers of the first records above one; nil where the store has no lists, or shows this
    /// publisher none.
    private func listed(after end: Int) throws(PublicationLedgerError) -> [Int]? {
        guard let url = place.records(after: end) else { return nil }
        let response = try asking { () throws(StoreError) in
            try objects.answer(to: objects.access.request(.get, url))
        }
        guard let response, response.status == 200, let list = S3Listing(response.body) else {
            return nil
        }
        return list.keys.compactMap(RemoteLedgerPlace.number(ofRecord:)).filter { $0 > end }
    }

    /// Looks for records beyond the end, once a run: a record that is gone must not be taken for
    /// the end, or the next one would be written in its place. True when the end has moved.
    private func hasBeyond(_ end: Int) throws(PublicationLedgerError) -> Bool {
        guard !lookedBeyond.isDone.withLock({ $0 }) else { return false }
        for step in try listed(after: end)?.map({ $0 - end }) ?? Self.stepsBeyond {
            guard try record(end + step) != nil else { continue }
            // Another host may have written both since.
            guard try record(end + 1) != nil else {
                throw .gap(name, record: end + 1, later: end + step)
            }
            return true
        }
        lookedBeyond.isDone.withLock { $0 = true }
        return false
    }

    private func record(_ number: Int) throws(PublicationLedgerError) -> [UInt8]? {
        try asking { () throws(StoreError) in
            guard let url = place.record(number), let found = try objects.read(url) else {
                return nil
            }
            return found.bytes ?? []
        }
    }

    /// Adds a record to the copy, if it continues it; another process of this host may have done so.
    @discardableResult
    private func take(
        _ bytes: [UInt8], number: Int, after tip: LogTip
    ) throws(PublicationLedgerError) -> LogTip {
        guard let line = try? LogLine(bytes, number: number), line.sequence == number,
            line.previous == tip.head, !line.isRepair
        else { throw .broken(name, record: number) }
        do throws(LedgerError) {
            let receipt = try log.append(.element(line.root), expecting: tip.head)
            guard receipt.tip.head == line.digest else {
                throw LedgerError.broken(LogFault(line: number, kind: .changed))
            }
            return receipt.tip
        } catch {
            guard case .headMoved(_, let mended) = error else { throw .log(log.path, error) }
            // Mending a torn line adds one of its own, which the store's chain does not have: the
            // copy begins anew.
            if mended != nil { _ = try? FileSystem.removeFile(log.path) }
            do throws(LedgerError) { return try log.tip() } catch { throw .log(log.path, error) }
        }
    }

    private func asking<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(PublicationLedgerError) -> Value {
        do { return try body() } catch { throw .store(name, error) }
    }
}
