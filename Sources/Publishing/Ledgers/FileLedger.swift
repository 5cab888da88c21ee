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
    private let log: HashChainLog

    package init(_ place: StateFolder.OfStore, isRehearsal: Bool = false) {
        self.init(at: place.ledger, envelopes: place.envelopes, isRehearsal: isRehearsal)
    }

    package init(at path: FilePath, envelopes: FilePath, isRehearsal: Bool = false) {
        self.path = path
        self.envelopes = envelopes
        self.isRehearsal = isRehearsal
        log = HashChainLog(at: path)
    }

    package func view(of workspace: WorkspaceName) throws(PublicationLedgerError) -> LedgerView {
        try summary(of: workspace).summary.view
    }

    package func views() throws(PublicationLedgerError) -> [WorkspaceName: LedgerView] {
        var summaries: [WorkspaceName: LedgerSummary] = [:]
        try read { line in
            guard let name = line["workspace"]?.string.flatMap(WorkspaceName.init(_:)),
                let record = LedgerLine.read(line, workspace: name)
            else { return }
            summaries[name, default: LedgerSummary()].add(record)
        }
        return summaries.mapValues(\.view)
    }

    package func newestServed(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> KeptEnvelope? {
        guard let newest = try summary(of: workspace).summary.view.newestServed else { return nil }
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
        var names: Set<WorkspaceName> = []
        try read { line in
            guard let name = line["workspace"]?.string.flatMap(WorkspaceName.init(_:)),
                !names.contains(name)
            else { return }
            switch LedgerLine.read(line, workspace: name) {
            case .observed, .swapped(_, .published), .bundled: names.insert(name)
            case .claimed, .swapped, .refused, nil: break
            }
        }
        return Array(names)
    }

    package func append(_ entry: LedgerEntry) throws(PublicationLedgerError) -> LedgerAnswer {
        guard case .claimed(let document, _) = entry.record else {
            do { took(try log.append(LedgerLine.json(entry))) } catch {
                throw .log(path, error)
            }
            return .written
        }
        for _ in 0..<Self.attempts {
            let (summary, head) = try summary(of: entry.workspace)
            if summary.conflicts(with: document) { return .conflict }
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
            try folder.removeAbandoned()
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
        try summary(of: workspace).summary.conflicts(with: document)
    }

    private func took(_ receipt: LogReceipt) {
        LedgerMark(tip: receipt.tip).write(beside: path)
        tell(receipt.mended)
    }

    private func tell(_ mended: LogMending?) {
        if case .removed(let repair)? = mended { onRepair?(path, repair.count) }
    }

    private func file(of digest: ContentDigest) -> FilePath {
        envelopes.appending(digest.hex + ".json")
    }

    private func summary(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> (summary: LedgerSummary, head: SHA256Digest) {
        var summary = LedgerSummary()
        let head = try read { line in
            if let record = LedgerLine.read(line, workspace: workspace) { summary.add(record) }
        }
        return (summary, head)
    }

    /// Goes through the lines that count, and answers the head. What stood there when this host
    /// wrote last has to stand there still.
    @discardableResult
    private func read(
        _ body: (JSONElement) -> Void
    ) throws(PublicationLedgerError) -> SHA256Digest {
        // Before the ledger, which only grows, so that nobody's append comes in between.
        let mark = LedgerMark.read(beside: path)?.tip
        var tip = LogTip(head: .zero, lines: 0)
        var isThere = mark == nil
        do {
            var reader = try log.reader()
            while let line = try reader.next() {
                tip = reader.tip
                if tip == mark { isThere = true }
                guard isRehearsal || !LedgerLine.isOfRehearsal(line.root) else { continue }
                body(line.root)
            }
        } catch {
            throw .log(path, error)
        }
        guard isThere else {
            throw .cut(path, lines: tip.lines, of: mark?.lines ?? 0)
        }
        return tip.head
    }
}
