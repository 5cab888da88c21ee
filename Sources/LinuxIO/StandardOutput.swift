import CLinux
internal import Glibc

/// Standard output, where a full disk and a closed pipe are errors and not signals.
package enum StandardOutput {
    /// Writes all of `bytes`; throws `ENOSPC`, `EPIPE` and the like as they come.
    package static func write(_ bytes: [UInt8]) throws(SystemError) {
        try standardStreamWrite(STDOUT_FILENO, "/dev/stdout", bytes)
    }

    /// Closes standard output and throws what the file system reports only now; what is written
    /// later goes to `/dev/null`. For the end of a program.
    package static func close() throws(SystemError) {
        let null: OpenFile
        do { null = try OpenFile("/dev/null", .readAndWrite) } catch { throw error }
        // A second descriptor of the same open file carries a delayed write error on `close`, and
        // the place of descriptor 1 is never empty.
        let copy = grona_duplicate_above(STDOUT_FILENO, 3)
        guard copy >= 0 else { throw SystemError.last("fcntl", "/dev/stdout") }
        var last = OpenFile(owning: copy, path: "/dev/stdout")
        guard dup2(null.descriptor, STDOUT_FILENO) == STDOUT_FILENO else {
            throw SystemError.last("dup2", "/dev/stdout")
        }
        try last.close()
    }
}

/// Standard error; a message that cannot be written there has nowhere else to go.
package enum StandardError {
    package static func write(_ bytes: [UInt8]) {
        do {
            try standardStreamWrite(STDERR_FILENO, "/dev/stderr", bytes)
        } catch {
            return
        }
    }
}

private func standardStreamWrite(
    _ descriptor: Int32, _ path: FilePath, _ bytes: [UInt8]
) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { bytes in
            unsafe write(descriptor, bytes.baseAddress, bytes.count)
        }
        if count >= 0 {
            rest = rest.dropFirst(count)
            continue
        }
        switch ErrorNumber.last {
        case .interrupted: continue
        case .wouldBlock: _ = Poll.wait(descriptor, for: .output, until: nil)
        default: throw SystemError.last("write", path)
        }
    }
}
