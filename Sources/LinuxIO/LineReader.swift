import CLinux
internal import Glibc

/// Reads lines from a pipe, socket or file as they come, in memory that the longest line bounds.
package struct LineReader: ~Copyable {
    /// A line without its newline, or the news that one was longer than the limit and was skipped.
    package enum Line: Sendable, Equatable {
        case text([UInt8])
        case tooLong
    }

    private static let chunk = 1 << 16

    private let file: OpenFile
    private let limit: Int
    private var buffer: [UInt8] = []
    /// Up to here no newline was found.
    private var searched = 0
    private var start = 0
    private var isAtEnd = false
    private var isSkipping = false

    /// - Parameter limit: the most bytes of a line.
    package init(_ file: consuming OpenFile, limit: Int) {
        self.file = file
        self.limit = limit
    }

    /// A reader of standard input.
    package static func standardInput(limit: Int) throws(FileError) -> LineReader {
        let descriptor = grona_duplicate_above(STDIN_FILENO, 3)
        guard descriptor >= 0 else { throw .system(.last("fcntl", "/dev/stdin")) }
        let file = OpenFile(owning: descriptor, path: "/dev/stdin")
        let status: FileStatus
        do { status = try file.status() } catch { throw .system(error) }
        guard status.kind != .folder else { throw .notRegular(file.path, .folder) }
        return LineReader(file, limit: limit)
    }

    /// The next line; nil at the end. What follows the last newline is a line, unless it is empty.
    package mutating func next() throws(FileError) -> Line? {
        while true {
            if let line = bufferedLine() { return line }
            guard !isAtEnd else { return rest() }
            try fill()
        }
    }

    /// The next line if it is there without waiting for the other side; nil where it is not, and at
    /// the end.
    package mutating func nextReady() throws(FileError) -> Line? {
        while true {
            if let line = bufferedLine() { return line }
            guard !isAtEnd, Poll.wait(file.descriptor, for: .input, until: 0) else { return nil }
            try fill()
            if isAtEnd { return rest() }
        }
    }

    private mutating func bufferedLine() -> Line? {
        guard let end = buffer[searched...].firstIndex(of: .newline) else {
            searched = buffer.count
            if buffer.count - start > limit {
                isSkipping = true
                buffer.removeAll(keepingCapacity: true)
                (start, searched) = (0, 0)
            }
            return nil
        }
        let line = Array(buffer[start..<end])
        start = end + 1
        searched = start
        let isTooLong = isSkipping || line.count > limit
        isSkipping = false
        return isTooLong ? .tooLong : .text(line)
    }

    private mutating func rest() -> Line? {
        let line = Array(buffer[start...])
        (start, searched) = (buffer.count, buffer.count)
        if isSkipping || line.count > limit {
            isSkipping = false
            return .tooLong
        }
        return line.isEmpty ? nil : .text(line)
    }

    private mutating func fill() throws(FileError) {
        buffer.removeSubrange(..<start)
        searched -= start
        start = 0
        let filled = buffer.count
        buffer += [UInt8](repeating: 0, count: Self.chunk)
        let count: Int
        do { count = try file.read(into: &buffer, from: filled) } catch { throw .system(error) }
        buffer.removeSubrange((filled + count)...)
        if count == 0 { isAtEnd = true }
    }
}
