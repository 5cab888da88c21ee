import CommandLineKit
import GronaCommand
import LinuxIO

/// The folder of the keyrings, in which private keys may lie.
enum KeyFolder {
    /// Makes the folder, 0700, and tells git to ignore it.
    ///
    /// One that is there and has something in it stays as it is: what git ignores there is
    /// somebody else's decision.
    static func make(at path: FilePath) throws(Failure) {
        try Ownership.require(path, mayBeMissing: true)
        do throws(FileError) {
            let folder = try Folder(creating: path, permissions: 0o700)
            if try folder.names().isEmpty {
                try ignoreEverything(in: folder)
            }
        } catch {
            throw Failure(writing: error)
        }
    }

    private static func ignoreEverything(in folder: borrowing Folder) throws(FileError) {
        do throws(FileError) {
            try folder.createFile(".gitignore", Array("*\n".utf8), permissions: 0o644)
        } catch {
            // Another process made the folder at the same time, and was faster.
            guard case .exists = error else { throw error }
        }
    }
}
