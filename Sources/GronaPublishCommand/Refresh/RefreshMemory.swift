import GronaFormats
import LinuxIO
import ProjectFiles
import StrictJSON

/// What one run tells the next: `STATE/stores/<digest>/refresh.json`.
struct RefreshMemory {
    private static let limit = 4 << 20

    /// How many workspaces the inventory had.
    var inventory: Int?
    var lastSuccess: UnixTime?
    /// When somebody last answered for a clock that was not believed.
    var acceptedClock: UnixTime?
    /// Versions that were signed and never published, as the signer told the run that they held up.
    private(set) var unpublished: [WorkspaceName: Int64] = [:]

    private let folder: FilePath

    /// What cannot be read counts as nothing.
    init(_ place: StateFolder.OfStore) {
        folder = place.folder
        guard let bytes = try? readFile(Self.path(folder), limit: Self.limit, links: .refuse),
            let root = try? JSONDocument.parse(bytes).root, root["format"]?.integer == 1
        else { return }
        inventory = root["inventory"]?.integer.flatMap { Int(exactly: $0) }
        lastSuccess = root["last_success"]?.integer.map { UnixTime($0) }
        acceptedClock = root["accepted_clock"]?.integer.map { UnixTime($0) }
        guard let held = root["unpublished"], held.kind == .object else { return }
        for member in held.members {
            guard let workspace = WorkspaceName(member.name) else { continue }
            unpublished[workspace] = member.value.integer
        }
    }

    /// Takes what a run found out; what it did not ask the signer for stays as it was.
    mutating func take(_ lines: [RefreshLine]) {
        for line in lines {
            if let version = line.unpublished {
                unpublished[line.workspace] = version
            } else if line.result == .renewed || line.result == .unchanged {
                unpublished[line.workspace] = nil
            }
        }
    }

    func write() throws(FileError) {
        var members: [(String, JSONValue)] = [("format", .integer(1))]
        if let inventory { members.append(("inventory", .integer(Int64(inventory)))) }
        if let lastSuccess { members.append(("last_success", .integer(lastSuccess.seconds))) }
        if let acceptedClock {
            members.append(("accepted_clock", .integer(acceptedClock.seconds)))
        }
        if !unpublished.isEmpty {
            let held = unpublished.map { ($0.key.text, JSONValue.integer($0.value)) }
            members.append(("unpublished", .object(held)))
        }
        let file = try OutputFile(at: Self.path(folder), replacing: true, permissions: 0o600)
        try file.commit(JSONValue.object(members).canonical() + [0x0A])
    }

    private static func path(_ folder: FilePath) -> FilePath {
        folder.appending("refresh.json")
    }
}
