package import CommandLineKit
package import LinuxIO

/// A file that a command reads, or standard input for `-`.
package enum InputDocument {
    /// How standard input is named in an error.
    package static let standardInputName = "(standard input)"

    /// Reads the whole input, at most `limit` bytes (`input.too-large`).
    package static func read(_ path: FilePath, limit: Int) throws(Failure) -> [UInt8] {
        do {
            guard path == "-" else { return try readFile(path, limit: limit) }
            return try readStandardInput(limit: limit)
        } catch {
            throw Failure(reading: error)
        }
    }

    /// The name to show for a path.
    package static func name(_ path: FilePath) -> String {
        path == "-" ? standardInputName : path.description
    }
}
