package import Libcrypto
package import LinuxIO
package import StrictJSON

/// An append-only log: one JSON object a line, each with the SHA-256 of the line before.
///
/// The members `format` (1), `seq` (the line's number from 1) and `prev` (64 lower-case hexadecimal
/// digits over the line before without its newline; zeros in the first) are added here. A changed,
/// missing or reordered line shows in the chain; a cut end shows only against a head that is kept
/// elsewhere. The file is 0600 in folders of 0700. Processes and threads may share it: an append
/// holds a lock on the file, and nothing else does for longer than a look at the size.
package struct HashChainLog: Sendable {
    /// The most records of one append.
    package static let groupLimit = 64

    package let path: FilePath
    /// The longest line in bytes.
    package let lineLimit: Int
    /// How long a lock is waited for.
    package let lockWaitNanoseconds: UInt64

    package init(
        at path: FilePath, lineLimit: Int = 65_536, lockWaitNanoseconds: UInt64 = 5_000_000_000
    ) {
        self.path = path
        self.lineLimit = lineLimit
        self.lockWaitNanoseconds = lockWaitNanoseconds
    }

    /// Adds one line; on the disk when this returns.
    @discardableResult
    package func append(
        _ record: JSONValue, expecting head: SHA256Digest? = nil
    ) throws(LedgerError) -> LogReceipt {
        try append(contentsOf: [record], expecting: head)
    }

    /// Adds up to 64 lines together, with one wait for the disk.
    ///
    /// With `expecting`, only when the log's head is still that one: what was decided by reading
    /// the log stays true until the line that records it (`headMoved` otherwise: read again). When
    /// this throws, no line was added, or (when the disk failed to answer) at most lines without
    /// the act that they announce.
    @discardableResult
    package func append(
        contentsOf records: [JSONValue], expecting head: SHA256Digest? = nil
    ) throws(LedgerError) -> LogReceipt {
        guard records.count <= HashChainLog.groupLimit else {
            throw .groupTooLarge(limit: HashChainLog.groupLimit)
        }
        do throws(LedgerError) {
            var log = try LogAppender(
                opening: path, lineLimit: lineLimit, wait: lockWaitNanoseconds)
            let mended = try log.settle()
            if let head, head != log.end.tip.head {
                throw LedgerError.headMoved(log.end.tip.head, mended: mended)
            }
            let digests = try log.append(records)
            return LogReceipt(tip: log.end.tip, digests: digests, mended: mended)
        } catch {
            throw error.ofWriting
        }
    }

    /// A reader from the first line on; for a log that does not exist, one without lines.
    ///
    /// - Parameter position: where an earlier reader ended. The lines before it are not read again,
    ///   unless another file stands in the place of the log, or it became shorter: then it is
    ///   read from the first line on (`LogReader.isTail` tells).
    package func reader(
        after position: LogPosition? = nil
    ) throws(LedgerError) -> LogReader {
        guard let lock = try lockForReading() else {
            return LogReader(file: nil, status: nil, lineLimit: lineLimit)
        }
        do throws(FileError) {
            let status = try lock.status()
            var place: LogPosition?
            if let position, position.file.isSameFile(as: status),
                position.offset <= status.size
            {
                place = position
            }
            return LogReader(
                file: lock.unlock(), status: status, lineLimit: lineLimit, after: place)
        } catch {
            throw .file(error)
        }
    }

    /// Where the log ends, from its last line alone.
    package func tip() throws(LedgerError) -> LogTip {
        guard let lock = try lockForReading() else { return LogTip(head: .zero, lines: 0) }
        return try LogEnd(of: lock.file, lineLimit: lineLimit).tip
    }

    /// A shared lock, so that no append is seen half done; nil when there is no log.
    private func lockForReading() throws(LedgerError) -> FileLock? {
        do throws(FileError) {
            let file: OpenFile
            do throws(SystemError) {
                file = try OpenFile(path, [.noFollow, .nonBlocking])
            } catch {
                if error.number == .notFound { return nil }
                throw error.number == .tooManyLinks ? .isLink(path) : .system(error)
            }
            let lock = try FileLock(
                locking: file, .shared, waitingNanoseconds: lockWaitNanoseconds)
            let kind = try lock.status().kind
            guard kind == .regular else { throw .notRegular(path, kind) }
            return lock
        } catch {
            throw .file(error)
        }
    }

    /// Checks every line; `head` is one that was kept elsewhere. What is found is the answer, not
    /// an error; a log that does not exist has no lines.
    package func verify(head: SHA256Digest? = nil) throws(LedgerError) -> LogReport {
        let verifier = LogVerifier(try reader(), head: head)
        return try verifier.report { () throws(LedgerError) in try reader() }
    }
}
