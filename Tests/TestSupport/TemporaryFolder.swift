import Foundation

/// A folder that is there as long as this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let name = "grona-test-\(UUID().uuidString)"
        path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file with these permissions; answers its path.
    @discardableResult package func write(
        _ name: String, _ bytes: [UInt8], permissions: Int = 0o600
    ) throws -> String {
        let file = path(name)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: file)
        return file
    }

    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}
