package import GronaFormats
package import LinuxIO

/// All keyrings below a folder, with what is wrong with any of them.
package struct KeyringFiles: Sendable {
    /// A keyring that cannot be read; it takes out its own workspace only.
    package struct Failure: Sendable, Equatable {
        package let folder: FilePath
        package let error: ProjectFileError
    }

    /// Those that can be read, by workspace.
    package let files: [KeyringFile]
    package let failures: [Failure]
    /// Folders that are called like a workspace and have no keyring.
    package let missing: [Failure]
    package let conflicts: [BindingConflict]
    private let byWorkspace: [WorkspaceName: Int]
    private let byKid: [KeyID: [Int]]
    private let failureByFolder: [FilePath: Int]

    private init(
        files: [KeyringFile], failures: [Failure], missing: [Failure],
        conflicts: [BindingConflict]
    ) {
        self.files = files
        self.failures = failures
        self.missing = missing
        self.conflicts = conflicts
        var byWorkspace: [WorkspaceName: Int] = [:]
        var byKid: [KeyID: [Int]] = [:]
        for (place, file) in files.enumerated() {
            byWorkspace[file.keyring.workspace] = byWorkspace[file.keyring.workspace] ?? place
            for kid in Set(file.keyring.keys.map(\.kid)) { byKid[kid, default: []].append(place) }
        }
        self.byWorkspace = byWorkspace
        self.byKid = byKid
        failureByFolder = Dictionary(
            failures.enumerated().map { ($1.folder, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads every `<keys>/<workspace>/keyring.json`; folders without one are no failures.
    package static func read(below keys: FilePath) throws(ProjectFileError) -> KeyringFiles {
        let opened = try CampaignFolder.open(keys)
        let names: [FilePath]
        do { names = try opened.names(limit: CampaignFolder.namesLimit) } catch {
            throw .file(error)
        }
        var files: [KeyringFile] = []
        var failures: [Failure] = []
        var missing: [Failure] = []
        for name in names {
            let folder = keys.appending(name)
            do throws(ProjectFileError) {
                files.append(try KeyringFile.read(in: folder))
            } catch {
                let failure = Failure(folder: folder, error: error)
                if !isNoKeyring(error) {
                    failures.append(failure)
                } else if case .noKeyring = error, isFolder(folder),
                    WorkspaceName(name.description) != nil
                {
                    missing.append(failure)
                }
            }
        }
        return KeyringFiles(
            files: files, failures: failures, missing: missing,
            conflicts: BindingConflict.all(in: files))
    }

    private static func isFolder(_ path: FilePath) -> Bool {
        (try? FileSystem.status(of: path))?.kind == .folder
    }

    private static func isNoKeyring(_ error: ProjectFileError) -> Bool {
        switch error {
        case .noKeyring: true
        // A file beside the workspaces, such as a README.
        case .file(let error): error.number == .notAFolder
        default: false
        }
    }

    package subscript(_ workspace: WorkspaceName) -> KeyringFile? {
        byWorkspace[workspace].map { files[$0] }
    }

    /// The keyring of a workspace, refused when one of its keys is in a conflict.
    package func usable(_ workspace: WorkspaceName, below keys: FilePath) throws(ProjectFileError)
        -> KeyringFile
    {
        if let failure = failureByFolder[keys.appending(workspace.text)] {
            throw failures[failure].error
        }
        guard let file = self[workspace] else {
            throw .noKeyring(keys.appending(workspace.text).appending(KeyringFile.name))
        }
        let own = conflicts.filter { $0.concerns(workspace) }
        guard own.isEmpty else { throw .bindings(own) }
        return file
    }

    /// The keyrings that have a key.
    package func having(_ kid: KeyID) -> [KeyringFile] {
        (byKid[kid] ?? []).map { files[$0] }
    }
}
