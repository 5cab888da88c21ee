package import GronaFormats
import Ledger
import Libcrypto
package import LinuxIO
package import ProjectFiles
package import PublishProtocol
import StrictJSON

/// The ledger of a store below this host's state folder: `ledger.ndjson`, and `envelopes/` beside
/// it.
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
        do {
            var reader = try log.reader()
            var summaries: [WorkspaceName: LedgerSummary] = [:]
            while let line = try reader.next() {
                guard isRehearsal || !LedgerLine.isOfRehearsal(line.root),
                    let name = line.root["workspace"]?.string.flatMap(WorkspaceName.init(_:)),
                    let record = LedgerLine.read(line.root, workspace: name)
                else { continue }
                summaries[name, default: LedgerSummary()].add(record)
            }
            return summaries.mapValues(\.view)
        } catch {
            throw .log(path, error)
        }
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
        do {
            var reader = try log.reader()
            var names: Set<WorkspaceName> = []
            while let line = try reader.next() {
                guard isRehearsal || !LedgerLine.isOfRehearsal(line.root),
                    let name = line.root["workspace"]?.string.flatMap(WorkspaceName.init(_:)),
                    !names.contains(name)
                else { continue }
                switch LedgerLine.read(line.root, workspace: name) {
                case .observed, .swapped(_, .published), .bundled: names.insert(name)
                case .claimed, .swapped, .refused, nil: break
                }
            }
            return Array(names)
        } catch {
            throw .log(path, error)
        }
    }

    package func append(_ entry: LedgerEntry) throws(PublicationLedgerError) -> LedgerAnswer {
        guard case .claimed(let document, _) = entry.record else {
            do { tell(try log.append(LedgerLine.json(entry)).mended) } catch {
                throw .log(path, error)
            }
            return .written
        }
        for _ in 0..<Self.attempts {
            let (summary, head) = try summary(of: entry.workspace)
            if summary.conflicts(with: document) { return .conflict }
            do {
                tell(try log.append(LedgerLine.json(entry), expecting: head).mended)
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

    private func tell(_ mended: LogMending?) {
        if case .removed(let repair)? = mended { onRepair?(path, repair.count) }
    }

    private func file(of digest: ContentDigest) -> FilePath {
        envelopes.appending(digest.hex + ".json")
    }

    private func summary(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> (summary: LedgerSummary, head: SHA256Digest) {
        do {
            var reader = try log.reader()
            var summary = LedgerSummary()
            while let line = try reader.next() {
                guard isRehearsal || !LedgerLine.isOfRehearsal(line.root) else { continue }
                if let record = LedgerLine.read(line.root, workspace: workspace) {
                    summary.add(record)
                }
            }
            return (summary, reader.tip.head)
        } catch {
            throw .log(path, error)
        }
    }
}
