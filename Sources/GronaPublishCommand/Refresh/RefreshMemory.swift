import GronaFormats
import LinuxIO
import ProjectFiles
import StrictJSON

/// What one run tells the next: `STATE/stores/<digest>/refresh.json`.
struct RefreshMemory {
    private static let limit = 65_536

    /// How many workspaces the inventory had.
    var inventory: Int?
    var lastSuccess: UnixTime?
    /// When somebody last answered for a clock that was not believed.
    var acceptedClock: UnixTime?

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
    }

    func write() throws(FileError) {
        var members: [(String, JSONValue)] = [("format", .integer(1))]
        if let inventory { members.append(("inventory", .integer(Int64(inventory)))) }
        if let lastSuccess { members.append(("last_success", .integer(lastSuccess.seconds))) }
        if let acceptedClock {
            members.append(("accepted_clock", .integer(acceptedClock.seconds)))
        }
        let file = try OutputFile(at: Self.path(folder), replacing: true, permissions: 0o600)
        try file.commit(JSONValue.object(members).canonical() + [0x0A])
    }

    private static func path(_ folder: FilePath) -> FilePath {
        folder.appending("refresh.json")
    }
}
