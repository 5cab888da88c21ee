import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing

/// Which workspaces a run is about: those that were named, all campaign folders whose config is
/// served, or the names in a file.
struct WorkspaceSelection {
    static let all = Flag("all", help: "every campaign folder whose config is served")
    static let inventory = Option(
        "inventory", ValueReader<FilePath>.file(),
        help: "the names in this file instead, one a line; # begins a remark")
    static let workspaces = Operand(
        ValueReader<WorkspaceName>.workspace("WORKSPACE"), .many(minimum: 0),
        help: "the workspaces; with --all every one")

    static let leftOut = "workspace.left-out"

    /// More names than this are refused.
    private static let fileLimit = 64 << 20

    /// A workspace with its policy, or why it has none.
    struct Entry {
        let workspace: WorkspaceName
        let policy: Result<WorkspacePolicy, Failure>
    }

    /// By name, each once.
    let entries: [Entry]
    /// What counted the workspaces: `--all`, or the file; nil where they were named one by one.
    let list: String?
    /// The lines of the file that are no workspace.
    private(set) var problems: [Diagnostic] = []
    /// With `--all`, the folders whose policy is gone.
    private(set) var withoutPolicy: Set<WorkspaceName> = []
    /// With `--all`, the folders whose config is in bundles alone.
    private var bundled: Set<WorkspaceName> = []
    private let isAll: Bool

    init(_ context: CommandContext, inventory file: FilePath? = nil) throws(Failure) {
        try Self.requireNames(context, inventory: file)
        let call = context.call
        let named = call.all(Self.workspaces)
        let campaigns = try context.campaigns()
        isAll = file == nil && call[Self.all]
        if let file {
            let (names, problems) = try Self.names(in: file)
            list = ((try? FileSystem.resolve(file)) ?? file).description
            self.problems = problems
            entries = names.map { Entry(workspace: $0, policy: Self.policy($0, campaigns)) }
        } else if call[Self.all] {
            list = "--all"
            (entries, bundled) = try Self.served(below: campaigns)
            withoutPolicy = try Self.withoutPolicy(below: campaigns)
        } else {
            var names = Set(named)
            if names.isEmpty, let workspace = try context.workspace() { names = [workspace] }
            list = nil
            entries = names.sorted().map {
                Entry(workspace: $0, policy: Self.policy($0, campaigns))
            }
        }
    }

    /// Refuses a command line that does not say which workspaces are meant.
    static func requireNames(
        _ context: CommandContext, inventory file: FilePath?
    ) throws(Failure) {
        let call = context.call
        let isCounted = call[all] || file != nil
        let isNamed = !call.all(workspaces).isEmpty
        guard !isNamed || !isCounted else {
            throw call.usage("all", "--all and --inventory name the workspaces themselves")
        }
        if isNamed || isCounted { return }
        guard try context.workspace() != nil else {
            throw call.usage("missing-operand", "no workspace is named: name some, or say --all")
        }
    }

    private static func policy(
        _ workspace: WorkspaceName, _ campaigns: FilePath
    ) -> Result<WorkspacePolicy, Failure> {
        do throws(ProjectFileError) {
            return .success(try PolicyLookup.find(workspace, below: campaigns).policy)
        } catch {
            return .failure(Failure(error))
        }
    }

    /// A folder whose policy cannot be read is among them: nobody says that it is not served.
    /// Where there is none at all, that is no fault of the folder: how many there were tells.
    private static func served(
        below campaigns: FilePath
    ) throws(Failure) -> (entries: [Entry], bundled: Set<WorkspaceName>) {
        let folders: [CampaignFolder.Entry]
        do throws(ProjectFileError) {
            folders = try CampaignFolder.workspaces(below: campaigns)
        } catch {
            if case .noWorkspaces = error { return ([], []) }
            throw Failure(error)
        }
        var entries: [Entry] = []
        var bundled: Set<WorkspaceName> = []
        for folder in folders {
            guard let name = folder.path.lastComponent,
                let workspace = WorkspaceName(name.description)
            else { continue }
            if let problem = folder.problem {
                entries.append(Entry(workspace: workspace, policy: .failure(Failure(problem))))
                continue
            }
            let policy = policy(workspace, campaigns)
            if case .success(let policy) = policy, policy.delivery == .bundleOnly {
                bundled.insert(workspace)
                continue
            }
            entries.append(Entry(workspace: workspace, policy: policy))
        }
        return (entries.sorted { $0.workspace < $1.workspace }, bundled)
    }

    private static func withoutPolicy(
        below campaigns: FilePath
    ) throws(Failure) -> Set<WorkspaceName> {
        do throws(ProjectFileError) {
            return Set(
                try CampaignFolder.foldersWithoutPolicy(below: campaigns).compactMap {
                    WorkspaceName($0.description)
                })
        } catch {
            throw Failure(error)
        }
    }

    /// The workspaces that `--all` leaves out and that are ours, by their keyring, where the ledger
    /// saw them served or a folder has lost its policy.
    ///
    /// - Parameter views: what the ledger says; nil where there is none, so that all that have a
    ///   keyring may be served.
    func leftOut(
        servedBy views: [WorkspaceName: LedgerView]?, keys: Set<WorkspaceName>
    ) -> [WorkspaceName] {
        guard isAll else { return [] }
        let listed = Set(entries.map(\.workspace))
        let served =
            views.map { Set($0.filter { $0.value.newestServed != nil }.keys) }
            ?? keys.subtracting(bundled)
        return withoutPolicy.union(served).intersection(keys).subtracting(listed).sorted()
    }

    /// What is wrong with one that is left out; nil where nothing is: it is served no more, and its
    /// folder is gone.
    func problem(ofLeftOut workspace: WorkspaceName, _ look: ServedLook?) -> Diagnostic? {
        let hasFolder = withoutPolicy.contains(workspace)
        if !hasFolder, let look, look.condition == .missing || look.condition == .new { return nil }
        return Diagnostic(
            code: Self.leftOut,
            message: hasFolder
                ? "its campaign folder has no workspace.json, so nobody renews it"
                : "it is served, and no campaign folder here says so: nobody on this host renews it",
            help:
                "put its workspace.json back, with \"delivery\": \"served\"; where it is given up,"
                + " remove its config from the store; where another host renews it, take its keyring"
                + " out of --keys here",
            exit: .configuration)
    }

    /// One line that is no workspace does not keep the others from being renewed.
    private static func names(
        in path: FilePath
    ) throws(Failure) -> (names: [WorkspaceName], problems: [Diagnostic]) {
        let bytes = try InputDocument.read(path, limit: fileLimit)
        var names: Set<WorkspaceName> = []
        var problems: [Diagnostic] = []
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        for (index, line) in bytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).enumerated() {
            var text = line.prefix { $0 != UInt8(ascii: "#") }.drop(while: isBlank)
            while let last = text.last, isBlank(last) { text.removeLast() }
            if text.isEmpty { continue }
            guard let name = WorkspaceName(String(decoding: text, as: UTF8.self)) else {
                problems.append(
                    Diagnostic(
                        code: "inventory.malformed", message: "this is no workspace",
                        file: InputDocument.name(path), line: index + 1,
                        help: "one name a line: a-z, 0-9 and dashes, at most 63 characters",
                        exit: .configuration))
                if problems.count > mostProblems { break }
                continue
            }
            names.insert(name)
        }
        if names.isEmpty || problems.count > mostProblems, var first = problems.first {
            first.exit = .refused
            throw Failure(first)
        }
        return (names.sorted(), problems)
    }

    /// A file with more lines that are no workspace is no list of them.
    private static let mostProblems = 20
}
