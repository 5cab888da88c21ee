import CLinux
internal import Glibc
import Synchronization

/// Standard output, where a full disk and a closed pipe are errors and not signals.
package enum StandardOutput {
    static let place = StreamPlace(STDOUT_FILENO)

    package static var isTerminal: Bool { Terminal.isTerminal(place.descriptor) }
    /// Columns of the terminal; `nil` where it is none.
    package static var columns: Int? { Terminal.width(place.descriptor) }

    /// Writes all of `bytes`; throws `ENOSPC`, `EPIPE` and the like as they come.
    package static func write(_ bytes: [UInt8]) throws(SystemError) {
        try standardStreamWrite(place.descriptor, "/dev/stdout", bytes)
    }

    /// Closes standard output and throws what the file system reports only now; what is written
    /// later goes to `/dev/null`. For the end of a program.
    package static func close() throws(SystemError) {
        let null: OpenFile
        do { null = try OpenFile("/dev/null", .readAndWrite) } catch { throw error }
        // A second descriptor of the same open file carries a delayed write error on `close`, and
        // the place of descriptor 1 is never empty.
        let place = place.descriptor
        let copy = grona_duplicate_above(place, 3)
        guard copy >= 0 else { throw SystemError.last("fcntl", "/dev/stdout") }
        var last = OpenFile(owning: copy, path: "/dev/stdout")
        guard dup2(null.descriptor, place) == place else {
            throw SystemError.last("dup2", "/dev/stdout")
        }
        try last.close()
    }
}

/// Standard error; a message that cannot be written there has nowhere else to go.
package enum StandardError {
    static let place = StreamPlace(STDERR_FILENO)

    package static var isTerminal: Bool { Terminal.isTerminal(place.descriptor) }
    /// Columns of the terminal; `nil` where it is none.
    package static var columns: Int? { Terminal.width(place.descriptor) }

    package static func write(_ bytes: [UInt8]) {
        do {
            try standardStreamWrite(place.descriptor, "/dev/stderr", bytes)
        } catch {
            return
        }
    }
}

/// The descriptor that a standard stream has in this process.
final class StreamPlace: Sendable {
    private let number: Atomic<Int32>

    init(_ descriptor: Int32) {
        number = Atomic(descriptor)
    }

    var descriptor: Int32 { number.load(ordering: .relaxed) }

    /// Takes a descriptor that nobody else knows, and leaves `/dev/null` at the well-known one.
    func moveAway(from standard: Int32, _ path: FilePath) throws(SystemError) {
        guard descriptor == standard else { return }
        let copy = grona_duplicate_above(standard, 64)
        guard copy >= 0 else { throw SystemError.last("fcntl", path) }
        let null: OpenFile
        do { null = try OpenFile("/dev/null", .readAndWrite) } catch { throw error }
        number.store(copy, ordering: .relaxed)
        guard dup2(null.descriptor, standard) == standard else {
            throw SystemError.last("dup2", path)
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
