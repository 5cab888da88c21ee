import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing
import StrictJSON

/// `history WORKSPACE`: every version that was ever claimed, and every bundle.
enum HistoryCommand {
    static let command = Command(
        "history", .reads, summary: "list every version and every bundle of a workspace",
        discussion: [
            "A version that is claimed was signed and given its number; whether it was ever served,"
                + " only the ledger knows."
        ],
        operands: [PublishOptions.workspace],
        options: [
            SharedOptions.from, SharedOptions.keys, SharedOptions.pins, SharedOptions.state,
            SharedOptions.ledger,
        ] + StoreOptions.all
    ) { context throws(Failure) in
        let workspace = try context.call.require(PublishOptions.workspace)
        let store = try context.openStore(try context.from())
        let judge = try context.judge(workspace, of: store)
        let past = servedPayloads(context, store, workspace)
        let entries: [HistoryEntry]
        do throws(StoreError) {
            entries = try HistoryEntry.all(HistoryReader(store: store, judge: judge), past)
        } catch {
            throw Failure(error, store: store.name)
        }
        if context.wantsJSON {
            context.console.json(
                .object([
                    ("workspace", .string(workspace.text)), ("store", .string(store.name)),
                    ("versions", .array(entries.filter { !$0.isBundle }.map(\.json))),
                    ("bundles", .array(entries.filter(\.isBundle).map(\.json))),
                ]))
            return .success
        }
        guard !entries.isEmpty else {
            context.console.line("\(workspace) has no history in \(store.name)")
            return .success
        }
        context.console.line("store \(store.name)")
        var table = Table(
            ["version", "kind", "state", "issued", "expires", "key", "digest"], right: [0])
        for entry in entries {
            let payload = entry.document?.payload
            table.add([
                .init(String(entry.version.number)), .init(entry.isBundle ? "bundle" : "config"),
                .init(entry.state, entry.isOurs ? .plain : .bad),
                .init(payload?.issuedAt.description ?? "-"),
                .init(payload?.expiresAt.description ?? "-"),
                .init(entry.document?.kid?.text ?? "-"),
                .init(entry.document?.facts.map { String($0.payload.hex.prefix(16)) } ?? "-"),
            ])
        }
        context.console.write(table.text(style: context.console.style))
        return .success
    }

    /// What the ledger saw served; where it cannot be read the list is shown all the same.
    private static func servedPayloads(
        _ context: CommandContext, _ store: any PublicationStore, _ workspace: WorkspaceName
    ) -> Set<ContentDigest> {
        do throws(Failure) {
            let ledger = try LedgerPlace.open(context, of: store)
            do throws(PublicationLedgerError) {
                return try ledger.servedPayloads(of: workspace)
            } catch {
                throw Failure(error)
            }
        } catch {
            var warning = error.reason
            warning.severity = .warning
            warning.message += "; what was served before is not known"
            context.console.report(warning)
            return []
        }
    }
}

/// One line of a history.
private struct HistoryEntry {
    let version: ConfigVersion
    let isBundle: Bool
    let document: JudgedDocument?
    let isOurs: Bool
    let isServed: Bool
    /// Whether it was seen served before.
    var wasServed = false

    var state: String {
        if isServed { return "served" }
        guard isOurs else { return "untrusted" }
        return isBundle ? "released" : wasServed ? "was-served" : "claimed"
    }

    static func all(
        _ reader: HistoryReader, _ past: Set<ContentDigest>
    ) throws(StoreError) -> [HistoryEntry] {
        let workspace = reader.judge.workspace
        let current = try reader.store.read(.config(workspace)).map { reader.judge.judge($0) }
        let served = current?.facts
        var entries: [HistoryEntry] = []
        var versions = Set(try reader.store.versions(of: workspace, from: 0))
        if !reader.store.listsWorkspaces, let served {
            // Such a store is asked number by number, and its first one need not be 1.
            versions.formUnion(try reader.store.versions(of: workspace, from: served.version))
        }
        for version in versions.sorted(by: { $0.number < $1.number }) {
            let document = try reader.claim(version)
            let facts = document?.facts
            entries.append(
                HistoryEntry(
                    version: version, isBundle: false, document: document,
                    isOurs: facts?.version == version.number,
                    isServed: facts != nil && facts?.payload == served?.payload,
                    wasServed: facts.map { past.contains($0.payload) } ?? false))
        }
        if let served, let version = ConfigVersion(served.version),
            !entries.contains(where: \.isServed)
        {
            // It is served, whatever the history has.
            entries.append(
                HistoryEntry(
                    version: version, isBundle: false, document: current, isOurs: true,
                    isServed: true))
            entries.sort { $0.version.number < $1.version.number }
        }
        for name in try reader.store.bundles(of: workspace) {
            let document = try reader.bundle(name)
            entries.append(
                HistoryEntry(
                    version: name.version, isBundle: true, document: document,
                    isOurs: document?.facts.map { HistoryReader.bears($0, name) } ?? false,
                    isServed: false))
        }
        return entries
    }

    var json: JSONValue {
        let payload = document?.payload
        return .object([
            ("version", .integer(version.number)), ("state", .string(state)),
            ("digest", document?.facts.map { .string($0.payload.hex) } ?? .null),
            ("kid", document?.kid.map { .string($0.text) } ?? .null),
            ("issued_at", payload.map { .integer($0.issuedAt.seconds) } ?? .null),
            ("expires_at", payload.map { .integer($0.expiresAt.seconds) } ?? .null),
        ])
    }
}
