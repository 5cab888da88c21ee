internal import Libcrypto

/// Checks a log line by line and finds out, at the first line that does not fit, what happened.
struct LogVerifier: ~Copyable {
    private var reader: LogReader
    private let wantedHead: SHA256Digest?
    private var previous = SHA256Digest.zero
    private var lines = 0
    private var headLine: Int?
    private var repairs = 0

    init(_ reader: consuming LogReader, head: SHA256Digest?) {
        self.reader = reader
        wantedHead = head
        if head == .zero { headLine = 0 }
    }

    /// `again` gives another reader from the start, to tell a line that moved from one that is gone.
    consuming func report(
        again: () throws(LedgerError) -> LogReader
    ) throws(LedgerError) -> LogReport {
        var verifier = self
        let fault = try verifier.firstFault(again)
        let cut = fault == nil && verifier.wantedHead != nil && verifier.headLine == nil
        return LogReport(
            tip: LogTip(head: verifier.previous, lines: verifier.lines),
            fault: cut ? LogFault(line: verifier.lines, kind: .headNotFound) : fault,
            headLine: verifier.headLine, tornBytes: verifier.reader.tornBytes,
            repairs: verifier.repairs)
    }

    private mutating func firstFault(
        _ again: () throws(LedgerError) -> LogReader
    ) throws(LedgerError) -> LogFault? {
        while true {
            let line: LogLine
            do {
                guard let next = try nextLine() else { return nil }
                line = next
            } catch {
                guard case .broken(let fault) = error else { throw error }
                return fault
            }
            let header = line.header
            guard header.previous == previous, header.sequence == line.number else {
                return try cause(line, again)
            }
            previous = line.digest
            lines = line.number
            if line.isRepair { repairs += 1 }
            if line.digest == wantedHead { headLine = line.number }
        }
    }

    private mutating func nextLine() throws(LedgerError) -> LogLine? {
        let bytes: [UInt8]?
        do {
            bytes = try reader.nextBytes()
        } catch {
            guard case .lineTooLong = error else { throw error }
            throw .broken(LogFault(line: lines + 1, kind: .unreadable))
        }
        guard let bytes else { return nil }
        do throws(LogFault) {
            return try LogLine(bytes, number: lines + 1)
        } catch {
            throw .broken(error)
        }
    }

    /// What is wrong around a line that does not continue the one before.
    private mutating func cause(
        _ line: LogLine, _ again: () throws(LedgerError) -> LogReader
    ) throws(LedgerError) -> LogFault {
        let sequence = line.header.sequence
        if sequence == line.number {
            // Its place is right, so either it or the line before was changed; the line after it
            // still names the digest that it had.
            let next = try? nextLineAfter(line)
            let isIntact = next == nil || next?.header.previous == line.digest
            let blamed = isIntact && line.number > 1 ? line.number - 1 : line.number
            return LogFault(line: blamed, kind: .changed)
        }
        guard sequence > line.number else {
            return LogFault(line: line.number, kind: .reordered)
        }
        var other = try again()
        var place = 0
        while let bytes = try? other.nextBytes() {
            place += 1
            guard place > line.number, let found = try? LogLine(bytes, number: place) else {
                continue
            }
            if found.header.sequence == line.number {
                return LogFault(line: line.number, kind: .reordered)
            }
        }
        return LogFault(line: line.number, kind: .missing(count: sequence - line.number))
    }

    private mutating func nextLineAfter(_ line: LogLine) throws(LedgerError) -> LogLine? {
        lines = line.number
        defer { lines = line.number - 1 }
        return try nextLine()
    }
}
