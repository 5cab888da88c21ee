import LinuxIO

/// Somewhere to write: a standard stream, or memory in a test.
package protocol OutputStream: Sendable {
    /// Writes everything; returns the error number where that fails.
    func write(_ bytes: [UInt8]) -> Int32?
    var isTerminal: Bool { get }
    /// Columns of the terminal, nil where it is none.
    var columns: Int? { get }
}

/// A standard stream of this process.
package enum StandardStream: Int32, OutputStream {
    case output = 1
    case error = 2

    package func write(_ bytes: [UInt8]) -> Int32? {
        switch self {
        case .error:
            StandardError.write(bytes)
            return nil
        case .output:
            do {
                try StandardOutput.write(bytes)
                return nil
            } catch {
                return error.errno
            }
        }
    }

    package var isTerminal: Bool {
        self == .output ? StandardOutput.isTerminal : StandardError.isTerminal
    }

    package var columns: Int? {
        self == .output ? StandardOutput.columns : StandardError.columns
    }
}
