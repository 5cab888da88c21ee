package import LinuxIO

/// A file system of 1 MiB in memory, to be filled; gone with the value.
package final class SmallFileSystem: Sendable {
    package let path: FilePath

    /// nil, with the reason printed, where mounting is not allowed.
    package init?(_ folder: TestFolder) throws {
        path = try folder.folder("small")
        let mounted = try Program.run([
            "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path.description,
        ])
        guard mounted.isSuccess else {
            print("skipped: a file system cannot be mounted here: \(mounted.errors)")
            return nil
        }
    }

    deinit {
        _ = try? Program.run(["umount", "-l", path.description])
    }
}
