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

    /// One line out of standard input, such as a customer id: without the one newline at its end
    /// (LF or CRLF).
    ///
    /// - Throws: `input.too-large`, and `input.bom` for a byte order mark, which nobody means to be
    ///   a part of it.
    package static func readLine(limit: Int) throws(Failure) -> [UInt8] {
        let bytes = try read("-", limit: limit)
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw Failure(
                Diagnostic(
                    code: "input.bom", message: "a byte order mark before the text",
                    file: standardInputName, help: "write it without one", exit: .refused))
        }
        guard bytes.last == UInt8(ascii: "\n") else { return bytes }
        let line = bytes.dropLast()
        return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }

    /// The name to show for a path.
    package static func name(_ path: FilePath) -> String {
        path == "-" ? standardInputName : path.description
    }
}
