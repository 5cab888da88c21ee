internal import Libcrypto
internal import LinuxIO

/// The end of a log: its last whole line and what stands after it. Found from the back, so that an
/// append costs the same however long the log is.
struct LogEnd {
    let tip: LogTip
    /// Bytes up to and with the last newline.
    let wholeSize: Int
    /// Bytes after it.
    let tornCount: Int
    /// What the last line says, where it is a repair's.
    let lastRepair: LogRepair?

    init(of file: borrowing OpenFile, lineLimit: Int) throws(LedgerError) {
        let size = try LogEnd.size(of: file)
        let wholeSize = try LogEnd.afterLastNewline(in: file, before: size)
        self.wholeSize = wholeSize
        tornCount = size - wholeSize
        guard wholeSize > 0 else {
            tip = LogTip(head: .zero, lines: 0)
            lastRepair = nil
            return
        }
        let start = try LogEnd.afterLastNewline(in: file, before: wholeSize - 1)
        let count = wholeSize - 1 - start
        guard count <= lineLimit else { throw .lineTooLong(limit: lineLimit) }
        let bytes = try LogEnd.bytes(of: file, count, at: start)
        let line: LogLine
        do throws(LogFault) {
            line = try LogLine(bytes, number: 0)
        } catch {
            let number = try LogEnd.lines(of: file, before: wholeSize)
            throw .broken(LogFault(line: number, kind: error.kind))
        }
        tip = LogTip(head: line.digest, lines: line.header.sequence)
        lastRepair = line.isRepair ? LogRepair(line.root) : nil
    }

    /// The place after the last newline before `end`; 0 when there is none.
    private static func afterLastNewline(
        in file: borrowing OpenFile, before end: Int
    ) throws(LedgerError) -> Int {
        var end = end
        while end > 0 {
            let start = max(0, end - 65_536)
            let bytes = try bytes(of: file, end - start, at: start)
            if let found = bytes.lastIndex(of: 0x0A) { return start + found + 1 }
            end = start
        }
        return 0
    }

    private static func lines(
        of file: borrowing OpenFile, before end: Int
    ) throws(LedgerError) -> Int {
        var (count, start) = (0, 0)
        while start < end {
            let bytes = try bytes(of: file, min(1 << 18, end - start), at: start)
            guard !bytes.isEmpty else { break }
            count += bytes.count { $0 == 0x0A }
            start += bytes.count
        }
        return count
    }

    static func bytes(
        of file: borrowing OpenFile, _ count: Int, at offset: Int
    ) throws(LedgerError) -> [UInt8] {
        do { return try file.read(count: count, at: offset) } catch { throw LedgerError(error) }
    }

    private static func size(of file: borrowing OpenFile) throws(LedgerError) -> Int {
        do { return try file.status().size } catch { throw LedgerError(error) }
    }
}
