package import GronaFormats
import Ledger
import Libcrypto
package import LinuxIO
package import ProjectFiles
package import PublishProtocol
import StrictJSON

/// The ledger of a store below this host's state folder: `ledger.ndjson`, with `envelopes/` and a
/// mark of how far it had come beside it.
package struct FileLedger: PublicationLedger {
    /// How often an append begins again when others append at the same time.
    private static let attempts = 100

    package let path: FilePath
    package let envelopes: FilePath
    /// Whether the lines of rehearsals count; where it is real, they are nothing that happened.
    package let isRehearsal: Bool
    /// Told when a torn last line was removed, and how many bytes it had.
    package var onRepair: (@Sendable (FilePath, Int) -> Void)?
    /// Goes on where the ledger went back, told how many lines it has and had: for what cannot wait.
    package var onCut: (@Sendable (Int, Int) -> Void)?
    private let log: HashChainLog
    private let index: LedgerIndex

    package init(_ place: StateFolder.OfStore, isRehearsal: Bool = false) {
        self.init(at: place.ledger, envelopes: place.envelopes, isRehearsal: isRehearsal)
    }

    package init(at path: FilePath, envelopes: FilePath, isRehearsal: Bool = false) {
        self.path = path
        self.envelopes = envelopes
        self.isRehearsal = isRehearsal
        log = HashChainLog(at: path)
        index = LedgerIndex(log, takesRehearsals: isRehearsal)
    }

    package var isCut: Bool { index.isCut }

    /// Takes the ledger as it is by now, after it went back: its end is its end from now on. How far
    /// it had come stays in `<ledger>.mark.before`.
    package func accept() throws(PublicationLedgerError) {
        let tip: LogTip
        do throws(LedgerError) { tip = try log.tip() } catch { throw .log(path, error) }
        do throws(FileError) { try LedgerMark(tip: tip).replace(beside: path) } catch {
            throw .envelope(error)
        }
        index.accept()
    }

    /// How many lines of the log were read so far, each as often as it was.
    package var linesRead: Int { index.linesRead }

    package func view(of workspace: WorkspaceName) throws(PublicationLedgerError) -> LedgerView {
        try indexed { $0[workspace].view }
    }

    package func views() throws(PublicationLedgerError) -> [WorkspaceName: LedgerView] {
        try indexed { $0.summaries.mapValues(\.view) }
    }

    /// The times of its lines. A clock that is far behind them is wrong.
    package func times() throws(PublicationLedgerError) -> LedgerTimes {
        try indexed {
            LedgerTimes(newest: $0.newestTime, last: $0.lastTime, lines: $0.tip.lines)
        }
    }

    package func servedPayloads(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> Set<ContentDigest> {
        // Only a ledger of which nothing is gone can tell.
        _ = try view(of: workspace)
        var payloads: Set<ContentDigest> = []
        do {
            var reader = try log.reader()
            while let line = try reader.next() {
                guard isRehearsal || !LedgerLine.isOfRehearsal(line.root) else { continue }
                switch LedgerLine.read(line.root, workspace: workspace) {
                case .observed(let facts), .swapped(let facts, .published):
                    payloads.insert(facts.payload)
                case .claimed, .swapped, .bundled, .refused, nil: break
                }
            }
        } catch {
            throw .log(path, error)
        }
        return payloads
    }

    package func newestServed(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> KeptEnvelope? {
        guard let newest = try view(of: workspace).newestServed else { return nil }
        let bytes = try? readFile(
            file(of: newest.envelope), limit: Limits.Reader.envelope, links: .refuse)
        let isWhole = bytes.map { SHA256.digest($0).content == newest.envelope } ?? false
        return KeptEnvelope(facts: newest, bytes: isWhole ? bytes : nil)
    }

    package func keptEnvelopes() throws(PublicationLedgerError) -> [[UInt8]] {
        do {
            let folder = try Folder(at: envelopes)
            var kept: [[UInt8]] = []
            for name in try folder.names() {
                guard let bytes = try? folder.read(name, limit: Limits.Reader.envelope),
                    file(of: SHA256.digest(bytes).content).lastComponent == name
                else { continue }
                kept.append(bytes)
            }
            return kept
        } catch {
            guard error.isNotFound else { throw .envelope(error) }
            return []
        }
    }

    package func workspaces() throws(PublicationLedgerError) -> [WorkspaceName] {
        try indexed { Array($0.released) }
    }

    package func append(_ entry: LedgerEntry) throws(PublicationLedgerError) -> LedgerAnswer {
        guard case .claimed(let document, _) = entry.record else {
            do { took(try log.append(LedgerLine.json(entry))) } catch {
                throw .log(path, error)
            }
            return .written
        }
        for _ in 0..<Self.attempts {
            let (isTaken, head) = try indexed {
                ($0[entry.workspace].conflicts(with: document), $0.head)
            }
            if isTaken { return .conflict }
            do {
                took(try log.append(LedgerLine.json(entry), expecting: head))
                return .written
            } catch {
                guard case .headMoved(_, let mended) = error else { throw .log(path, error) }
                tell(mended)
            }
        }
        throw .busy(path)
    }

    package func keep(
        _ envelope: [UInt8], as digest: ContentDigest
    ) throws(PublicationLedgerError) {
        do {
            let folder = try Folder(creating: envelopes, permissions: 0o700)
            if index.isFirst() { try folder.removeAbandoned() }
            try folder.createFile(
                FilePath(digest.hex + ".json"), envelope, permissions: 0o600)
        } catch {
            if case .exists = error { return }
            throw .envelope(error)
        }
    }

    /// Whether a line gives the document's number to another content.
    func conflicts(
        with document: DocumentFacts, in workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> Bool {
        try indexed { $0[workspace].conflicts(with: document) }
    }

    private func took(_ receipt: LogReceipt) {
        // Somebody has to answer for one that went back before it counts as whole again.
        if !index.isCut { LedgerMark(tip: receipt.tip).write(beside: path) }
        tell(receipt.mended)
    }

    private func tell(_ mended: LogMending?) {
        if case .removed(let repair)? = mended { onRepair?(path, repair.count) }
    }

    private func file(of digest: ContentDigest) -> FilePath {
        envelopes.appending(digest.hex + ".json")
    }

    private func indexed<Value: Sendable>(
        _ body: @Sendable (borrowing LedgerIndex.Content) -> Value
    ) throws(PublicationLedgerError) -> Value {
        try index.read(onCut: onCut, body)
    }
}
