import Foundation
package import LinuxIO

/// A folder of a test's own, with the mode 0755; it and everything in it goes with the value.
package final class TestFolder: Sendable {
    package let path: FilePath

    /// Made in `parent`, or in `/tmp`.
    package init(in parent: FilePath = "/tmp") throws {
        let name = String(decoding: SystemRandom.hexadecimal(8), as: UTF8.self)
        path = parent.appending("grona-test-\(name)")
        try FileSystem.createFolder(path, permissions: 0o755)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.description)
    }

    package func file(_ name: String) -> FilePath {
        path.appending(name)
    }

    /// Makes a file with exactly these permissions; answers its path.
    @discardableResult
    package func write(
        _ name: String, _ contents: [UInt8] = [], permissions: UInt32 = 0o644
    ) throws -> FilePath {
        let path = file(name)
        let opened = try OpenFile(path, [.write, .create, .truncate])
        try opened.writeAll(contents)
        try opened.setPermissions(permissions)
        return path
    }

    @discardableResult
    package func write(
        _ name: String, _ text: String, permissions: UInt32 = 0o644
    ) throws -> FilePath {
        try write(name, [UInt8](text.utf8), permissions: permissions)
    }

    @discardableResult
    package func folder(_ name: String, permissions: UInt32 = 0o755) throws -> FilePath {
        let path = file(name)
        try FileSystem.createFolders(path, permissions: permissions)
        return path
    }

    /// Makes a symbolic link; answers its path.
    @discardableResult
    package func link(_ name: String, to target: String) throws -> FilePath {
        try FileManager.default.createSymbolicLink(
            atPath: file(name).description, withDestinationPath: target)
        return file(name)
    }

    /// Makes a named pipe; answers its path.
    @discardableResult
    package func pipe(_ name: String) throws -> FilePath {
        let path = file(name)
        guard unsafe mkfifo(path.description, 0o600) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        return path
    }

    /// Gives a file to another user; needs root.
    package func own(_ name: String, by user: UInt32) throws {
        try FileManager.default.setAttributes(
            [.ownerAccountID: NSNumber(value: user)], ofItemAtPath: file(name).description)
    }
}
