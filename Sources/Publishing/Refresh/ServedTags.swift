import GronaFormats
import LinuxIO
package import ProjectFiles
import PublishProtocol
import StrictJSON
import Synchronization

/// Under which entity tag the newest envelope of each workspace was served, for the next run on this
/// host: `STATE/stores/<digest>/tags.json`.
///
/// What a store answers with 304 is not sent again; the bytes are those that lie beside the ledger,
/// and are judged like any others. A file that is missing or of another form costs full answers.
package final class ServedTags: Sendable {
    private static let limit = 64 << 20

    private struct State {
        var tags: [WorkspaceName: Entry] = [:]
        var isChanged = false
    }

    private struct Entry: Hashable {
        let tag: EntityTag
        let envelope: ContentDigest
    }

    private let path: FilePath
    private let state: Mutex<State>

    package init(_ place: StateFolder.OfStore) {
        path = place.folder.appending("tags.json")
        var tags: [WorkspaceName: Entry] = [:]
        if let bytes = try? readFile(path, limit: Self.limit, links: .refuse),
            let root = try? JSONDocument.parse(bytes).root, root["format"]?.integer == 1,
            let all = root["tags"], all.kind == .object
        {
            for member in all.members {
                guard let workspace = WorkspaceName(member.name),
                    let tag = member.value["tag"]?.string,
                    let envelope = member.value["envelope"]?.string,
                    let digest = ContentDigest(hex: envelope)
                else { continue }
                tags[workspace] = Entry(tag: EntityTag(tag), envelope: digest)
            }
        }
        state = Mutex(State(tags: tags))
    }

    /// The tag under which an envelope was served; nil where that is not known.
    func tag(of workspace: WorkspaceName, serving envelope: ContentDigest) -> EntityTag? {
        state.withLock { state in
            state.tags[workspace].flatMap { $0.envelope == envelope ? $0.tag : nil }
        }
    }

    func remember(_ tag: EntityTag?, of workspace: WorkspaceName, serving envelope: ContentDigest?)
    {
        state.withLock { state in
            var entry: Entry?
            if let tag, !tag.text.isEmpty, let envelope {
                entry = Entry(tag: tag, envelope: envelope)
            }
            guard state.tags[workspace] != entry else { return }
            state.tags[workspace] = entry
            state.isChanged = true
        }
    }

    /// Where it cannot be written, the next run reads more.
    package func write() {
        let tags: [WorkspaceName: Entry]? = state.withLock { state in
            guard state.isChanged else { return nil }
            state.isChanged = false
            return state.tags
        }
        guard let tags else { return }
        let members = tags.map { workspace, entry in
            (
                workspace.text,
                JSONValue.object([
                    ("tag", .string(entry.tag.text)), ("envelope", .string(entry.envelope.hex)),
                ])
            )
        }
        let root = JSONValue.object([("format", .integer(1)), ("tags", .object(members))])
        guard let file = try? OutputFile(at: path, replacing: true, permissions: 0o600) else {
            return
        }
        _ = try? file.commit(root.canonical() + [0x0A])
    }
}
