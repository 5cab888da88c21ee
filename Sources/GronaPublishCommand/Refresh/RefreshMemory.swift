import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing
import StrictJSON

/// What one run tells the next: `STATE/stores/<digest>/refresh.json`.
struct RefreshMemory {
    private static let limit = 64 << 20
    private static let mostInVain = 1_000
    private static let mostLists = 100

    /// How many workspaces each list had.
    var inventories: [String: Int] = [:]
    var lastSuccess: UnixTime?
    /// When a run last ended whose clock was believed.
    var lastRun: UnixTime?
    /// The clock that somebody answered for last.
    var acceptedClock: AcceptedClock?

    /// Those that a run tried in vain.
    var triedInVain: [WorkspaceName] = []
    /// Versions that were signed and never published, as the signer told the run that they held up.
    private(set) var unpublished: [WorkspaceName: Int64] = [:]
    /// What no run gets over by itself, of those that the last run could not renew.
    private(set) var refused: [WorkspaceName: RefusedRenewal] = [:]

    /// The newest known head of the signer's audit log of each workspace, by the runs that renewed it.
    private(set) var auditHeads: [WorkspaceName: String] = [:]

    private let folder: FilePath

    /// What cannot be read counts as nothing.
    ///
    /// - Throws: status 78 for a file of another release, whose memory would be lost.
    init(_ place: StateFolder.OfStore) throws(Failure) {
        folder = place.folder
        guard
            let bytes = try? readFile(
                Self.path(folder), limit: Self.limit, links: .refuse, pipes: .refuse),
            let root = try? JSONDocument.parse(bytes).root
        else { return }
        guard root["format"]?.integer == 1 else {
            throw Failure(
                Diagnostic(
                    code: "refresh.format",
                    message: "this is no memory of a refresh that this release knows",
                    file: Self.path(folder).description,
                    help: "a later release wrote it: go on with that one", exit: .configuration))
        }
        if let lists = root["inventories"] {
            for member in lists.members.prefix(Self.mostLists) {
                inventories[member.name] = member.value.integer.flatMap { Int(exactly: $0) }
            }
        }
        triedInVain =
            (root["in_vain"]?.elements).map {
                $0.prefix(Self.mostInVain).compactMap {
                    $0.string.flatMap { WorkspaceName($0) }
                }
            } ?? []
        lastSuccess = root["last_success"]?.integer.map { UnixTime($0) }
        lastRun = root["last_run"]?.integer.map { UnixTime($0) }
        acceptedClock = root["accepted_clock"].flatMap { clock in
            guard let time = clock["time"]?.integer else { return nil }
            return AcceptedClock(
                time: UnixTime(time), newest: clock["newest"]?.integer.map { UnixTime($0) },
                lines: clock["lines"]?.integer.flatMap { Int(exactly: $0) } ?? 0)
        }
        if let heads = root["audit"], heads.kind == .object {
            for member in heads.members {
                guard let workspace = WorkspaceName(member.name), let head = member.value.string,
                    ContentDigest(hex: head) != nil
                else { continue }
                auditHeads[workspace] = head
            }
        }
        for member in root["unpublished"]?.members.map(\.self) ?? [] {
            guard let workspace = WorkspaceName(member.name) else { continue }
            unpublished[workspace] = member.value.integer
        }
        for member in root["refused"]?.members.map(\.self) ?? [] {
            guard let workspace = WorkspaceName(member.name) else { continue }
            refused[workspace] = RefusedRenewal(member.value)
        }
    }

    /// Takes what a run found out; what it did not ask the signer for stays as it was.
    mutating func take(_ lines: [RefreshLine]) {
        for line in lines {
            let isDone = line.result == .renewed || line.result == .unchanged
            if let version = line.unpublished {
                unpublished[line.workspace] = version
            } else if isDone || line.isFreed {
                unpublished[line.workspace] = nil
            }
            if let trouble = line.trouble, line.needsAPerson, line.unpublished == nil {
                refused[line.workspace] = RefusedRenewal(trouble, version: line.version)
            } else if line.trouble == nil, isDone || line.result == .notDue {
                refused[line.workspace] = nil
            }
        }
    }

    /// Takes the heads that a run learned, and drops those of workspaces without a keyring.
    mutating func take(
        auditHeads heads: [WorkspaceName: String], knowing known: Set<WorkspaceName>
    ) {
        auditHeads = auditHeads.filter { known.contains($0.key) }
        auditHeads.merge(heads) { $1 }
    }

    /// Why a list is not believed; nil where it is, or is none.
    func problem(of selection: WorkspaceSelection) -> InventoryRule.Problem? {
        guard let list = selection.list else { return nil }
        return InventoryRule.problem(selection.entries.count, before: inventories[list])
    }

    /// How many workspaces a list had in the last run.
    func count(of selection: WorkspaceSelection) -> Int? {
        selection.list.flatMap { inventories[$0] }
    }

    /// That a list is shorter than it was; nil where it is not, or is not believed.
    func warning(of selection: WorkspaceSelection) -> Diagnostic? {
        let count = selection.entries.count
        guard problem(of: selection) == nil, let before = self.count(of: selection), count < before
        else { return nil }
        return RefreshWording.shorter(count, before: before)
    }

    /// Why the clock is not believed; nil where it is.
    ///
    /// - Parameter offset: how far the servers' clocks are ahead of ours, in seconds.
    static func clockProblem(
        _ memory: RefreshMemory?, _ ledger: any PublicationLedger, offset: Int64?, now: UnixTime
    ) throws(Failure) -> (problem: ClockRule.Problem?, times: LedgerTimes) {
        var times = LedgerTimes()
        do throws(PublicationLedgerError) {
            times = try (ledger as? FileLedger)?.times() ?? times
        } catch {
            throw Failure(error)
        }
        // A ledger in a store is everybody's; when this host ran last, it knows by itself.
        let ours = memory?.acceptedClock?.newest(of: times) ?? times.newest
        let newest = [ours, memory?.lastRun].compactMap(\.self).max()
        return (ClockRule.problem(now: now, newestLine: newest, serverOffset: offset), times)
    }

    func write() throws(FileError) {
        var members: [(String, JSONValue)] = [("format", .integer(1))]
        if !inventories.isEmpty {
            let lists = inventories.sorted { $0.key < $1.key }.prefix(Self.mostLists)
            members.append(
                ("inventories", .object(lists.map { ($0.key, .integer(Int64($0.value))) })))
        }
        if let lastSuccess { members.append(("last_success", .integer(lastSuccess.seconds))) }
        if let lastRun { members.append(("last_run", .integer(lastRun.seconds))) }
        if let clock = acceptedClock {
            members.append(
                (
                    "accepted_clock",
                    .object([
                        ("time", .integer(clock.time.seconds)),
                        ("newest", clock.newest.map { .integer($0.seconds) } ?? .null),
                        ("lines", .integer(Int64(clock.lines))),
                    ])
                ))
        }
        if !triedInVain.isEmpty {
            let names = triedInVain.prefix(Self.mostInVain)
            members.append(("in_vain", .array(names.map { .string($0.text) })))
        }
        if !auditHeads.isEmpty {
            let heads = auditHeads.map { ($0.key.text, JSONValue.string($0.value)) }
            members.append(("audit", .object(heads)))
        }
        if !unpublished.isEmpty {
            let held = unpublished.map { ($0.key.text, JSONValue.integer($0.value)) }
            members.append(("unpublished", .object(held)))
        }
        if !refused.isEmpty {
            members.append(("refused", .object(refused.map { ($0.key.text, $0.value.json) })))
        }
        let file = try OutputFile(at: Self.path(folder), replacing: true, permissions: 0o600)
        try file.commit(JSONValue.object(members).canonical() + [0x0A])
    }

    private static func path(_ folder: FilePath) -> FilePath {
        folder.appending("refresh.json")
    }
}
