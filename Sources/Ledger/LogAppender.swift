internal import Libcrypto
internal import LinuxIO
internal import StrictJSON

/// A log that is open for an append, and locked for as long as this value lives.
struct LogAppender: ~Copyable {
    private let lock: FileLock
    private let folder: Folder
    private let name: FilePath
    private let lineLimit: Int
    private(set) var end: LogEnd

    /// Opens and locks the log, making it and its folders when they are not there.
    init(opening path: FilePath, lineLimit: Int, wait: UInt64) throws(LedgerError) {
        guard let name = path.lastComponent, name.isName else {
            throw .file(.invalidName(path))
        }
        let folder: Folder
        do { folder = try Folder(creating: path.parent, permissions: 0o700) } catch {
            throw .file(error)
        }
        let lock: FileLock
        do { lock = try LogAppender.lock(path, name, in: folder, wait: wait) } catch {
            throw .file(error)
        }
        let end = try LogEnd(of: lock.file, lineLimit: lineLimit)
        self.init(lock: lock, folder: folder, name: name, lineLimit: lineLimit, end: end)
    }

    private init(
        lock: consuming FileLock, folder: consuming Folder, name: FilePath, lineLimit: Int,
        end: LogEnd
    ) {
        self.lock = lock
        self.folder = folder
        self.name = name
        self.lineLimit = lineLimit
        self.end = end
    }

    /// Adds the records after the last line, which must be whole.
    mutating func append(_ records: [JSONValue]) throws(LedgerError) -> [SHA256Digest] {
        var bytes: [UInt8] = []
        var digests: [SHA256Digest] = []
        var tip = end.tip
        for record in records {
            let line = try LogLine.encode(record, sequence: tip.lines + 1, previous: tip.head)
            guard line.count <= lineLimit else { throw .lineTooLong(limit: lineLimit) }
            tip = LogTip(head: SHA256.digest(line), lines: tip.lines + 1)
            digests.append(tip.head)
            bytes += line + [0x0A]
        }
        do throws(SystemError) {
            try lock.file.writeAll(bytes, at: end.wholeSize)
            try lock.file.synchronize()
        } catch {
            // A part of a line must not stay; where this fails too, the next append repairs it.
            try? lock.file.truncate(to: end.wholeSize)
            throw LedgerError(error)
        }
        end = try LogEnd(of: lock.file, lineLimit: lineLimit)
        return digests
    }

    /// Ends a repair that was begun, completes a last line that lacks only its newline, and removes
    /// a torn one; answers what was done.
    mutating func settle() throws(LedgerError) -> LogMending? {
        var done: LogMending?
        if end.tornCount > 0 { try requireOwn() }
        while true {
            if let begun = try readAside() {
                done = try finish(begun).map { .removed($0) } ?? done
            } else if end.tornCount > 0 {
                if try complete() { return .completed(line: end.tip.lines) }
                try putAside()
            } else {
                return done
            }
        }
    }

    /// Nothing is mended in a file whose beginning no log has: it may be somebody's document.
    private func requireOwn() throws(LedgerError) {
        let start = try LogEnd.bytes(
            of: lock.file, min(lineLimit + 1, end.wholeSize + end.tornCount), at: 0)
        guard !LogBeginning.isOurs(start, isWhole: end.wholeSize > 0) else { return }
        throw .broken(LogFault(line: 1, kind: .unreadable))
    }

    /// Keeps what follows the last whole line where it is the next line of the chain.
    private mutating func complete() throws(LedgerError) -> Bool {
        guard end.tornCount <= lineLimit else { return false }
        let bytes = try LogEnd.bytes(of: lock.file, end.tornCount, at: end.wholeSize)
        guard let line = try? LogLine(bytes, number: end.tip.lines + 1),
            line.header.sequence == line.number, line.header.previous == end.tip.head
        else { return false }
        do throws(SystemError) {
            try lock.file.writeAll([0x0A], at: end.wholeSize + end.tornCount)
            try lock.file.synchronize()
        } catch {
            throw LedgerError(error)
        }
        end = try LogEnd(of: lock.file, lineLimit: lineLimit)
        return true
    }

    private var asideName: FilePath { FilePath(bytes: name.bytes + [UInt8](".torn".utf8)) }

    private var asideLimit: Int { 64 * (lineLimit + 1) + 65_536 }

    private func kept(_ repair: LogRepair) -> FilePath {
        FilePath(bytes: asideName.bytes + [UInt8](".\(repair.digest.prefix(16))".utf8))
    }

    private func putAside() throws(LedgerError) {
        // Whatever the disk made of it: what is kept is bounded, what is removed is not.
        let count = min(end.tornCount, 64 * (lineLimit + 1))
        let torn = try LogEnd.bytes(of: lock.file, count, at: end.wholeSize)
        let repair = LogRepair(
            offset: end.wholeSize, count: end.tornCount, torn: torn, time: SystemClock.unixTime())
        do {
            try folder.createFile(asideName, repair.aside(torn), permissions: 0o600)
        } catch {
            throw .file(error)
        }
    }

    private func readAside() throws(LedgerError) -> LogRepair?? {
        do {
            guard let bytes = try folder.readIfPresent(asideName, limit: asideLimit) else {
                return nil
            }
            return .some(LogRepair.readAside(bytes))
        } catch {
            throw .file(error)
        }
    }

    /// nil when the line about it was there already, or when what is aside is not of this log.
    private mutating func finish(_ begun: LogRepair?) throws(LedgerError) -> LogRepair? {
        var repaired: LogRepair?
        if let begun, begun.offset == end.wholeSize {
            do throws(SystemError) {
                try lock.file.truncate(to: begun.offset)
            } catch {
                throw LedgerError(error)
            }
            _ = try append([begun.record])
            repaired = begun
        }
        do throws(FileError) {
            if let begun, let bytes = try folder.readIfPresent(asideName, limit: asideLimit) {
                // What was cut off stays: the log tells where it is by its digest.
                do throws(FileError) {
                    try folder.createFile(kept(begun), bytes, permissions: 0o600)
                } catch {
                    guard case .exists = error else { throw error }
                }
            }
            try folder.removeFile(asideName)
        } catch {
            throw .file(error)
        }
        return repaired
    }

    /// Opens the log and locks it; makes it with exactly 0600 when it is not there.
    private static func lock(
        _ path: FilePath, _ name: FilePath, in folder: borrowing Folder, wait: UInt64
    ) throws(FileError) -> FileLock {
        let deadline = SystemClock.deadline(after: wait)
        while true {
            guard let file = try folder.openFile(name) else {
                do {
                    try folder.createFile(name, [], permissions: 0o600)
                } catch {
                    guard case .exists = error else { throw error }
                }
                continue
            }
            let now = SystemClock.monotonicNanoseconds()
            let lock = try FileLock(
                locking: file, waitingNanoseconds: deadline > now ? deadline - now : 0)
            // Moved away while the lock was waited for: the file at the path now is meant.
            if let there = try folder.status(of: name), there.isSameFile(as: try lock.status()) {
                return lock
            }
        }
    }
}
