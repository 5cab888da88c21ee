import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles

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

    /// More names than this are refused.
    private static let fileLimit = 64 << 20

    /// A workspace with its policy, or why it has none.
    struct Entry {
        let workspace: WorkspaceName
        let policy: Result<WorkspacePolicy, Failure>
    }

    /// By name, each once.
    let entries: [Entry]
    /// Whether the workspaces were counted, not named one by one.
    let isInventory: Bool

    init(_ context: CommandContext, inventory file: FilePath? = nil) throws(Failure) {
        let call = context.call
        let named = call.all(Self.workspaces)
        guard named.isEmpty || !(call[Self.all] || file != nil) else {
            throw call.usage("all", "--all and --inventory name the workspaces themselves")
        }
        let campaigns = try context.campaigns()
        if let file {
            let names = try Self.names(in: file)
            isInventory = true
            entries = names.map { Entry(workspace: $0, policy: Self.policy($0, campaigns)) }
        } else if call[Self.all] {
            isInventory = true
            entries = try Self.served(below: campaigns)
        } else {
            var names = Set(named)
            if names.isEmpty {
                guard let workspace = try context.workspace() else {
                    throw call.usage(
                        "missing-operand", "no workspace is named: name some, or say --all")
                }
                names = [workspace]
            }
            isInventory = false
            entries = names.sorted().map {
                Entry(workspace: $0, policy: Self.policy($0, campaigns))
            }
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
    private static func served(below campaigns: FilePath) throws(Failure) -> [Entry] {
        let folders: [CampaignFolder.Entry]
        do throws(ProjectFileError) {
            folders = try CampaignFolder.workspaces(below: campaigns)
        } catch {
            throw Failure(error)
        }
        var entries: [Entry] = []
        for folder in folders {
            guard let name = folder.path.lastComponent,
                let workspace = WorkspaceName(name.description)
            else { continue }
            if let problem = folder.problem {
                entries.append(Entry(workspace: workspace, policy: .failure(Failure(problem))))
                continue
            }
            let policy = policy(workspace, campaigns)
            if case .success(let policy) = policy, policy.delivery == .bundleOnly { continue }
            entries.append(Entry(workspace: workspace, policy: policy))
        }
        return entries.sorted { $0.workspace < $1.workspace }
    }

    private static func names(in path: FilePath) throws(Failure) -> [WorkspaceName] {
        let bytes = try InputDocument.read(path, limit: fileLimit)
        var names: Set<WorkspaceName> = []
        for (index, line) in bytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).enumerated() {
            let text = line.prefix { $0 != UInt8(ascii: "#") }
                .filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
            if text.isEmpty { continue }
            guard let name = WorkspaceName(String(decoding: text, as: UTF8.self)) else {
                throw Failure(
                    Diagnostic(
                        code: "inventory.malformed", message: "this is no workspace",
                        file: InputDocument.name(path), line: index + 1,
                        help: "one name a line: a-z, 0-9 and dashes, at most 63 characters",
                        exit: .refused))
            }
            names.insert(name)
        }
        return names.sorted()
    }
}
