internal import Glibc
package import LinuxIO

/// A stream connection to a Unix socket of this host (unix(7)); lines go out, lines come in.
///
/// Nothing blocks beyond its deadline, a monotonic time in nanoseconds
/// (`SystemClock.deadline(after:)`): while bytes are sent, bytes are taken in, so that neither side
/// can block the other. The descriptor is closed at the end of the value's life.
package struct LocalConnection: ~Copyable {
    package let path: FilePath
    private let socket: OpenFile
    private let limit: Int
    private var pending: [UInt8] = []
    private var sent = 0
    private var inputEnds = false
    private var received: [UInt8] = []
    /// Where the search for a newline goes on.
    private var searched = 0
    private var outputEnded = false

    /// Connects to the socket at `path`, at most 107 bytes; waits while its queue is full.
    ///
    /// - Parameter limit: the most bytes that are taken from the other side ahead of the reader,
    ///   which bounds a line.
    package init(to path: FilePath, limit: Int, deadline: UInt64) throws(LocalConnectionError) {
        self.path = path
        self.limit = limit
        socket = try LocalSocket.connect(path, until: deadline)
    }

    /// Hands a line to the other side, which gets there while answers are waited for; never blocks.
    package mutating func writeLine(_ line: [UInt8]) throws(LocalConnectionError) {
        pending.removeSubrange(..<sent)
        sent = 0
        pending += line + [Self.newline]
        try send()
    }

    /// Tells the other side that nothing more comes, once everything handed over has been sent.
    package mutating func endInput() throws(LocalConnectionError) {
        inputEnds = true
        try send()
    }

    /// The next line without its newline; nil once the other side has closed. Bytes after the last
    /// newline are no line: an answer that was cut off is none.
    package mutating func readLine(deadline: UInt64) throws(LocalConnectionError) -> [UInt8]? {
        while true {
            if let end = received[searched...].firstIndex(of: Self.newline) {
                guard end <= limit else { throw .tooMuch(path, limit: limit) }
                let line = [UInt8](received[..<end])
                received.removeSubrange(...end)
                searched = 0
                return line
            }
            searched = received.count
            guard received.count <= limit + 1 else { throw .tooMuch(path, limit: limit) }
            if outputEnded { return nil }
            try transfer(until: deadline)
        }
    }

    /// Ends the input and waits until the other side has closed; what it still says is dropped.
    package mutating func finish(deadline: UInt64) throws(LocalConnectionError) {
        try endInput()
        while !outputEnded {
            (received, searched) = ([], 0)
            try transfer(until: deadline)
        }
    }

    private static let newline: UInt8 = 0x0A

    /// Waits until something can be moved, and moves it.
    private mutating func transfer(until deadline: UInt64) throws(LocalConnectionError) {
        let wantsOut = sent < pending.count
        guard
            let ready = LocalSocket.wait(
                socket.descriptor, for: Int16(wantsOut ? POLLIN | POLLOUT : POLLIN),
                until: deadline)
        else { throw .timedOut(path) }
        if wantsOut, ready & Int16(POLLOUT | POLLERR) != 0 { try send() }
        if ready & Int16(POLLIN | POLLHUP | POLLERR) != 0 { try receive() }
    }

    private mutating func send() throws(LocalConnectionError) {
        while sent < pending.count {
            let rest = pending[sent...]
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.send(
                    socket.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: return
            case EPIPE, ECONNRESET:
                // It reads no more; whether it answered, reading will tell.
                sent = pending.count
            case let number:
                throw .system(SystemError(operation: "send", path: path, errno: number))
            }
        }
        (pending, sent) = ([], 0)
        if inputEnds { _ = shutdown(socket.descriptor, Int32(SHUT_WR)) }
    }

    private mutating func receive() throws(LocalConnectionError) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe recv(socket.descriptor, bytes.baseAddress, bytes.count, 0)
        }
        if count > 0 {
            received += bytes[..<count]
            return
        }
        if count == 0 {
            outputEnded = true
            return
        }
        switch errno {
        case EINTR, EAGAIN: return
        case ECONNRESET: outputEnded = true
        case let number: throw .system(SystemError(operation: "recv", path: path, errno: number))
        }
    }
}
