package import GronaFormats
import LinuxIO
package import ProjectFiles
package import PublishProtocol
import StrictJSON

/// Envelopes that were signed and are not served yet: `STATE/stores/<digest>/staged/<workspace>.json`.
///
/// What a run could not publish, the next one takes up, so that an outage of the store costs no
/// numbers and no signatures.
package struct StagedEnvelopes: Sendable {
    private static let limit = Limits.Reader.envelope + 65_536

    private let folder: FilePath

    package init(_ place: StateFolder.OfStore) {
        folder = place.folder.appending("staged")
    }

    /// An envelope with what it was made on.
    package struct Staged: Sendable {
        /// The tag of what was served when it was signed; nil where nothing was.
        package let base: EntityTag?
        /// The envelope that it renews; nil in a file of an earlier release.
        package let source: String?
        package let envelope: [UInt8]
    }

    /// Nil where there is none, or one of another form: then it is signed anew.
    package func read(_ workspace: WorkspaceName) -> Staged? {
        guard isOurFolder,
            let bytes = try? readFile(
                path(workspace), limit: Self.limit, links: .refuse, pipes: .refuse),
            let root = try? JSONDocument.parse(bytes).root,
            root["format"]?.integer == 1, let envelope = root["envelope"],
            root["workspace"]?.utf8?.elementsEqual(workspace.text.utf8) ?? false
        else { return nil }
        return Staged(
            base: root["base"]?.string.map { EntityTag($0) }, source: root["source"]?.string,
            envelope: BundleCheck.serialized(envelope))
    }

    /// The envelope of a workspace, where it has that number and is ours.
    package func document(of judge: DocumentJudge, version: ConfigVersion) -> JudgedDocument? {
        guard let kept = read(judge.workspace) else { return nil }
        let document = judge.judge(kept.envelope)
        return document.facts?.version == version.number ? document : nil
    }

    func write(
        _ envelope: JSONElement, base: EntityTag?, source: ContentDigest?,
        of workspace: WorkspaceName
    ) throws(FileError) {
        do throws(SystemError) {
            try FileSystem.createFolders(folder, permissions: 0o700)
        } catch {
            throw .system(error)
        }
        guard isOurFolder else { throw .isLink(folder) }
        let file = try OutputFile(at: path(workspace), replacing: true, permissions: 0o600)
        try file.commit(
            JSONValue.object([
                ("format", .integer(1)), ("workspace", .string(workspace.text)),
                ("base", base.map { .string($0.text) } ?? .null),
                ("source", source.map { .string($0.hex) } ?? .null),
                ("envelope", .element(envelope)),
            ]).canonical() + [0x0A])
    }

    /// Whether it is a folder, and no link to one of somebody else's.
    private var isOurFolder: Bool {
        (try? FileSystem.statusIfPresent(of: folder, links: .refuse)?.kind) == .folder
    }

    /// What is served, or will never be, needs no place.
    func remove(_ workspace: WorkspaceName) {
        guard isOurFolder else { return }
        _ = try? FileSystem.removeFile(path(workspace))
    }

    private func path(_ workspace: WorkspaceName) -> FilePath {
        folder.appending(workspace.text + ".json")
    }
}
