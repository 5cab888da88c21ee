import CLinux
internal import Glibc

/// Our ends of a child's pipes and what is on its way in either direction.
struct ChildPipes: ~Copyable {
    /// Of standard error the last this many bytes are kept.
    static let keptErrorBytes = 65_536

    let limit: Int
    private(set) var errorTail: [UInt8] = []
    private var input: OpenFile
    private var output: OpenFile
    private var errors: OpenFile
    private var pending: [UInt8] = []
    private var sent = 0
    private var inputEnds = false
    private var received: [UInt8] = []
    private var taken = 0
    /// Where the search for a newline goes on.
    private var searched = 0

    init(
        input: consuming OpenFile, output: consuming OpenFile, errors: consuming OpenFile,
        limit: Int
    ) {
        for descriptor in [input.descriptor, output.descriptor, errors.descriptor] {
            let flags = grona_get_status_flags(descriptor)
            _ = grona_set_status_flags(descriptor, flags | O_NONBLOCK)
        }
        self.input = input
        self.output = output
        self.errors = errors
        self.limit = limit
    }

    var outputEnded: Bool { output.descriptor < 0 }

    /// Something waits to be taken.
    var hasOutput: Bool { received.count > taken }

    /// More waits to be taken than the limit, so nothing more is read.
    var isFull: Bool { received.count - taken > limit }

    mutating func queue(_ bytes: [UInt8]) {
        guard input.descriptor >= 0 else { return }
        pending.removeSubrange(..<sent)
        sent = 0
        pending += bytes
    }

    /// Closes the input once everything queued has been written.
    mutating func endInput() {
        inputEnds = true
        closeInputIfDone()
    }

    mutating func takeLine() -> [UInt8]? {
        guard let end = received[max(searched, taken)...].firstIndex(of: .newline) else {
            searched = received.count
            return nil
        }
        let line = [UInt8](received[taken..<end])
        taken = end + 1
        searched = taken
        if taken > 65_536 {
            received.removeSubrange(..<taken)
            (taken, searched) = (0, 0)
        }
        return line
    }

    mutating func takeOutput() -> [UInt8] {
        let rest = [UInt8](received[taken...])
        (received, taken, searched) = ([], 0, 0)
        return rest
    }

    mutating func dropOutputBeyondLimit() {
        guard isFull else { return }
        received.removeSubrange((taken + limit)...)
        searched = min(searched, received.count)
    }

    /// Waits up to that long (-1: without end) until a pipe is ready, then moves what can be moved.
    mutating func transfer(waitingMilliseconds: Int32) throws(SystemError) {
        var entries: [pollfd] = []
        if input.descriptor >= 0, sent < pending.count {
            entries.append(pollfd(fd: input.descriptor, events: Int16(POLLOUT), revents: 0))
        }
        if output.descriptor >= 0, !isFull {
            entries.append(pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0))
        }
        if errors.descriptor >= 0 {
            entries.append(pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0))
        }
        let ready = unsafe poll(&entries, nfds_t(entries.count), waitingMilliseconds)
        guard ready > 0 else { return }
        for entry in entries where entry.revents != 0 {
            switch entry.fd {
            case input.descriptor: try send()
            case output.descriptor: _ = try receive()
            default: _ = try receiveErrors()
            }
        }
    }

    /// Takes what is in the pipes now and waits for nothing.
    mutating func drain() throws(SystemError) {
        while output.descriptor >= 0, !isFull, try receive() {}
        while errors.descriptor >= 0, try receiveErrors() {}
        try output.close()
        try errors.close()
    }

    private mutating func send() throws(SystemError) {
        while sent < pending.count {
            let descriptor = input.descriptor
            let rest = pending[sent...]
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count >= 0 {
                sent += count
                continue
            }
            switch ErrorNumber.last {
            case .interrupted: continue
            case .wouldBlock: return
            case .brokenPipe:
                // It reads no more; what it says and how it ends will tell.
                (pending, sent) = ([], 0)
                try input.close()
                return
            default: throw SystemError.last("write", input.path)
            }
        }
        (pending, sent) = ([], 0)
        closeInputIfDone()
    }

    private mutating func closeInputIfDone() {
        if inputEnds, sent == pending.count { try? input.close() }
    }

    /// False when nothing is there now.
    private mutating func receive() throws(SystemError) -> Bool {
        guard let chunk = try ChildPipes.chunk(&output) else { return false }
        received += chunk
        return true
    }

    private mutating func receiveErrors() throws(SystemError) -> Bool {
        guard let chunk = try ChildPipes.chunk(&errors) else { return false }
        errorTail += chunk
        if errorTail.count > ChildPipes.keptErrorBytes {
            errorTail.removeSubrange(..<(errorTail.count - ChildPipes.keptErrorBytes))
        }
        return true
    }

    /// What one `read` gives; nil when nothing is there, after closing at the end of the file.
    private static func chunk(_ file: inout OpenFile) throws(SystemError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let descriptor = file.descriptor
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe read(descriptor, bytes.baseAddress, bytes.count)
            }
            if count > 0 {
                bytes.removeSubrange(count...)
                return bytes
            }
            if count == 0 {
                try file.close()
                return nil
            }
            switch ErrorNumber.last {
            case .interrupted: continue
            case .wouldBlock: return nil
            default: throw SystemError.last("read", file.path)
            }
        }
    }
}
