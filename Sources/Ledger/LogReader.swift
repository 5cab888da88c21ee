internal import Libcrypto
internal import LinuxIO

/// Reads a log from the start, or from where another reader ended, in memory that its longest line
/// bounds.
///
/// It ends where the log ended when the reader was made; what is appended meanwhile is not seen.
package struct LogReader: ~Copyable {
    private let file: OpenFile?
    private let lineLimit: Int
    private let size: Int
    private let status: FileStatus?
    /// Whether it began where another reader had ended.
    package let isTail: Bool
    private var offset = 0
    /// Where the lines read so far end.
    private var lineEnd = 0
    private var buffer: [UInt8] = []
    private var cursor = 0
    private var number = 0
    private var previous = SHA256Digest.zero

    /// Bytes after the last newline, once the end is reached: a line that a crash has torn.
    package private(set) var tornBytes = 0

    init(
        file: consuming OpenFile?, status: FileStatus?, lineLimit: Int,
        after position: LogPosition? = nil
    ) {
        self.file = file
        self.status = status
        size = status?.size ?? 0
        self.lineLimit = lineLimit
        isTail = position != nil
        guard let position else { return }
        (offset, lineEnd) = (position.offset, position.offset)
        (number, previous) = (position.tip.lines, position.tip.head)
    }

    /// The next line, nil at the end; throws `broken` at the first line that does not continue the
    /// one before.
    package mutating func next() throws(LedgerError) -> LogLine? {
        guard let bytes = try nextBytes() else { return nil }
        do throws(LogFault) {
            let line = try LogLine(bytes, number: number)
            guard line.header.previous == previous, line.header.sequence == number else {
                throw LogFault(line: number, kind: .changed)
            }
            previous = line.digest
            return line
        } catch {
            throw .broken(error)
        }
    }

    /// Where the lines read so far end.
    package var tip: LogTip { LogTip(head: previous, lines: number) }

    /// From where another reader may go on; nil where there is no log.
    package var position: LogPosition? {
        status.map { LogPosition(tip: tip, offset: lineEnd, file: $0) }
    }

    /// The bytes of the next line, whatever they are; nil at the end.
    mutating func nextBytes() throws(LedgerError) -> [UInt8]? {
        while true {
            if let end = buffer[cursor...].firstIndex(of: 0x0A) {
                guard end - cursor <= lineLimit else { throw .lineTooLong(limit: lineLimit) }
                let line = [UInt8](buffer[cursor..<end])
                lineEnd += end + 1 - cursor
                cursor = end + 1
                number += 1
                return line
            }
            guard buffer.count - cursor <= lineLimit else {
                throw .lineTooLong(limit: lineLimit)
            }
            guard try fill() else {
                tornBytes = buffer.count - cursor
                return nil
            }
        }
    }

    /// False at the end.
    private mutating func fill() throws(LedgerError) -> Bool {
        guard offset < size else { return false }
        buffer.removeSubrange(..<cursor)
        cursor = 0
        let chunk: [UInt8]
        do throws(SystemError) {
            let wanted = min(1 << 18, size - offset)
            chunk = try file?.read(count: wanted, at: offset) ?? []
        } catch {
            throw LedgerError(error)
        }
        offset = chunk.isEmpty ? size : offset + chunk.count
        buffer += chunk
        return !chunk.isEmpty
    }
}
