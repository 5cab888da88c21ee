import Glibc

/// Somewhere to write: a standard stream, or memory in a test.
package protocol OutputStream: Sendable {
    /// Writes everything; returns the error number where that fails.
    func write(_ bytes: [UInt8]) -> Int32?
    var isTerminal: Bool { get }
    /// Columns of the terminal, nil where it is none.
    var columns: Int? { get }
}

/// A standard stream of this process.
package struct DescriptorStream: OutputStream {
    package static let standardOutput = DescriptorStream(descriptor: STDOUT_FILENO)
    package static let standardError = DescriptorStream(descriptor: STDERR_FILENO)
    static let brokenPipe = EPIPE

    private let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    package func write(_ bytes: [UInt8]) -> Int32? {
        var start = 0
        while start < bytes.count {
            let rest = bytes.count - start
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, rest)
            }
            if written >= 0 {
                start += written
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            case let number: return number
            }
        }
        return nil
    }

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    package var columns: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// For a stream that somebody else has made non-blocking.
    private func waitUntilWritable() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, 1_000)
    }

    /// The system's words for an error number.
    static func text(ofError number: Int32) -> String {
        unsafe String(cString: strerror(number))
    }
}
