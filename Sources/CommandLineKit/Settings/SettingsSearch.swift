package import LinuxIO

/// Looks for a settings file in the working folder and in those above it.
///
/// The search ends at the first file found, at a folder that has a `.git`, at the user's home
/// folder and at the root.
package struct SettingsSearch: Sendable {
    /// Never more folders than a path can have.
    private static let deepest = 2_048

    let name: String
    let start: FilePath
    let home: FilePath?

    /// - Parameters:
    ///   - start: the working folder.
    ///   - home: where the search ends, nil when unknown.
    package init(name: String, start: FilePath = ".", home: FilePath?) {
        self.name = name
        self.start = start
        self.home = home
    }

    /// The path of the file, relative to the working folder; nil where there is none.
    package func run() -> FilePath? {
        let homeStatus = home.flatMap(Self.status)
        var folder = start
        for _ in 0..<Self.deepest {
            guard let here = Self.status(folder) else { return nil }
            let candidate =
                folder == "." ? FilePath(name) : folder.appending(FilePath(name))
            if Self.status(candidate) != nil { return candidate }
            if Self.status(folder.appending(".git")) != nil { return nil }
            if let homeStatus, here.isSameFile(as: homeStatus) { return nil }
            let above = folder == "." ? FilePath("..") : folder.appending("..")
            guard let next = Self.status(above), !next.isSameFile(as: here) else { return nil }
            folder = above
        }
        return nil
    }

    private static func status(_ path: FilePath) -> FileStatus? {
        try? FileSystem.statusIfPresent(of: path)
    }
}
