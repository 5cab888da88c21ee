package import CampaignCompiler
internal import GronaFormats
package import LinuxIO

/// Reads a workspace's folder from disk; links and folders in place of files are refused.
package enum CampaignFolder {
    /// More names than this in one folder are refused before they are read.
    static let namesLimit = 100_000

    /// What may be a workspace in a folder of workspaces.
    package struct Entry: Sendable, Equatable {
        package let path: FilePath
        /// Why it is not read; nil for a workspace.
        package let problem: ProjectFileError?

        package init(path: FilePath, problem: ProjectFileError? = nil) {
            self.path = path
            self.problem = problem
        }
    }

    /// Whether a folder is a workspace: it has a `workspace.json`, of whatever kind.
    package static func isWorkspace(_ folder: FilePath) throws(ProjectFileError) -> Bool {
        do {
            return try FileSystem.statusIfPresent(
                of: folder.appending(WorkspaceSource.policyFileName), links: .refuse) != nil
        } catch {
            if error.number == .notAFolder { return false }
            throw .file(.system(error))
        }
    }

    /// The source files of a workspace.
    ///
    /// - Parameter folder: The path as the user gave it; findings name files below it.
    /// - Throws: `.noWorkspace` without a `workspace.json`; `.file` for a link, a folder called like
    ///   a campaign, and what cannot be read. A file over 4 MiB is for the compiler to refuse.
    package static func read(_ folder: FilePath) throws(ProjectFileError) -> WorkspaceSource {
        let opened = try open(folder)
        var files: [SourceFile] = []
        do throws(FileError) {
            for name in try opened.names(limit: namesLimit) where isSource(name) {
                files.append(try source(name, in: opened))
            }
        } catch {
            throw .file(error)
        }
        let policy = WorkspaceSource.policyFileName.utf8
        guard files.contains(where: { $0.name.utf8.elementsEqual(policy) }) else {
            throw .noWorkspace(folder)
        }
        return WorkspaceSource(
            folder: name(of: folder), label: label(of: folder), files: files)
    }

    /// The workspaces in a folder of workspaces, by name.
    ///
    /// A folder without `workspace.json`, such as `schema`, is none, and neither is one whose name
    /// begins with a dot. A link to a folder is among them with its problem, so that nobody takes a
    /// workspace for checked that is not.
    package static func workspaces(
        below campaigns: FilePath
    ) throws(ProjectFileError) -> [Entry] {
        let opened = try open(campaigns)
        let names: [FilePath]
        do { names = try opened.names(limit: namesLimit) } catch { throw .file(error) }
        var found: [Entry] = []
        for name in names where name.bytes.first != UInt8(ascii: ".") {
            let path = campaigns.appending(name)
            do throws(ProjectFileError) {
                switch try kind(of: path, links: .refuse) {
                case .folder: if try isWorkspace(path) { found.append(Entry(path: path)) }
                case .link where try kind(of: path, links: .follow) == .folder:
                    throw .file(.isLink(path))
                default: break
                }
            } catch {
                found.append(Entry(path: path, problem: error))
            }
        }
        guard !found.isEmpty else { throw .noWorkspaces(campaigns) }
        return found
    }

    /// The folders in a folder of workspaces that have no `workspace.json`, by name; those that nobody
    /// may look into are among the workspaces, with their problem.
    package static func foldersWithoutPolicy(
        below campaigns: FilePath
    ) throws(ProjectFileError) -> [FilePath] {
        let opened = try open(campaigns)
        let names: [FilePath]
        do { names = try opened.names(limit: namesLimit) } catch { throw .file(error) }
        var found: [FilePath] = []
        for name in names where name.bytes.first != UInt8(ascii: ".") {
            let path = campaigns.appending(name)
            do throws(ProjectFileError) {
                if try kind(of: path, links: .refuse) == .folder, try !isWorkspace(path) {
                    found.append(name)
                }
            } catch {
                continue
            }
        }
        return found
    }

    static func open(_ path: FilePath) throws(ProjectFileError) -> Folder {
        do {
            return try Folder(at: path)
        } catch {
            guard error.number == .notAFolder, let kind = try kind(of: path, links: .follow) else {
                throw .file(error)
            }
            throw .notAFolder(path, kind)
        }
    }

    private static func kind(
        of path: FilePath, links: LinkPolicy
    ) throws(ProjectFileError) -> FileKind? {
        do { return try FileSystem.statusIfPresent(of: path, links: links)?.kind } catch {
            throw .file(.system(error))
        }
    }

    private static func source(
        _ name: FilePath, in folder: borrowing Folder
    ) throws(FileError) -> SourceFile {
        let limit = Limits.Reader.campaignFile
        do throws(FileError) {
            return SourceFile(
                name: name.description, bytes: try folder.read(name, limit: limit))
        } catch {
            guard case .tooLarge = error else { throw error }
            return SourceFile(name: name.description, over: limit)
        }
    }

    /// `.json` in any case, so that the compiler can say which files it leaves out. What begins with
    /// a dot is an editor's own, such as the lock `.#welcome.json`.
    private static func isSource(_ name: FilePath) -> Bool {
        name.bytes.first != UInt8(ascii: ".")
            && name.bytes.suffix(5).map { $0 | 0x20 }.elementsEqual(WorkspaceSource.suffix.utf8)
    }

    /// The folder's name, also of `.` and of a path with a slash at its end.
    private static func name(of folder: FilePath) -> String {
        if let last = folder.lastComponent, last.isName { return last.description }
        let resolved = try? FileSystem.resolve(folder)
        return resolved?.lastComponent?.description ?? folder.description
    }

    private static func label(of folder: FilePath) -> String {
        var bytes = folder.bytes[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return FilePath(bytes: bytes).description
    }
}
