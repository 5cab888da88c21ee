package import GronaFormats
package import Ledger
package import Libcrypto
package import LinuxIO
import StrictJSON

/// The memory of a signer for one keyring: its audit log, and what the log adds up to.
///
/// Two processes may sign at once: what one decides is recorded only while the log still ends
/// where it was read, else it decides again with what the other has written.
package struct SignerMemory: Sendable {
    /// Who writes, for every line of this run.
    package struct Writer: Sendable {
        package let user: String
        package let workspace: WorkspaceName
        package let isRehearsal: Bool
        /// Told what a crash had left in the log, as soon as it is mended.
        package let onMending: @Sendable (LogMending) -> Void

        package init(
            user: String, workspace: WorkspaceName, isRehearsal: Bool,
            onMending: @escaping @Sendable (LogMending) -> Void = { _ in }
        ) {
            self.onMending = onMending
            self.user = user
            self.workspace = workspace
            self.isRehearsal = isRehearsal
        }
    }

    /// How often a decision is made again because another process was faster.
    private static let attempts = 1_000

    /// A log of this form; a line may name every campaign of a payload.
    package static func log(at path: FilePath) -> HashChainLog {
        HashChainLog(at: path, lineLimit: Limits.Reader.envelopeLine)
    }

    package let log: HashChainLog
    package let writer: Writer
    package private(set) var history = SignerHistory()
    /// SHA-256 of the last line; 64 zeros for an empty log.
    package private(set) var head = LogLine.start

    /// Reads the whole log.
    package init(_ log: HashChainLog, writer: Writer) throws(SigningError) {
        self.log = log
        self.writer = writer
        try refresh()
    }

    /// Reads the log again where another process has added to it.
    package mutating func refreshIfGrown() throws(SigningError) {
        let tip: LogTip
        do throws(LedgerError) {
            tip = try log.tip()
        } catch {
            throw .memory(.log(error))
        }
        if tip.head != head { try refresh() }
    }

    package mutating func refresh() throws(SigningError) {
        var history = SignerHistory()
        do throws(LedgerError) {
            var reader = try log.reader()
            while let line = try reader.next() {
                if line.isRepair { continue }
                guard let record = AuditRecord(line.root) else {
                    throw LedgerError.broken(LogFault(line: line.number, kind: .unreadable))
                }
                history.apply(record)
            }
            head = reader.tip.head
        } catch {
            throw .memory(.log(error))
        }
        self.history = history
    }

    /// Decides and records, as one step for every process that shares the log.
    ///
    /// - Parameter decide: what is to be recorded, given all that the log knows; called again where
    ///   the log has grown meanwhile. Nothing is written when it gives nothing.
    /// - Returns: none where nothing was to be recorded.
    @discardableResult
    package mutating func record(
        at now: UnixTime, _ decide: (SignerHistory) throws(SigningError) -> [AuditRecord.Act]
    ) throws(SigningError) -> LogReceipt? {
        for _ in 0..<Self.attempts {
            let records = try decide(history).map { act in
                AuditRecord(
                    act, at: now, user: writer.user, workspace: writer.workspace,
                    isRehearsal: writer.isRehearsal)
            }
            if records.isEmpty { return nil }
            do throws(LedgerError) {
                let receipt = try log.append(
                    contentsOf: records.map { .object($0.json) }, expecting: head)
                for record in records { history.apply(record) }
                head = receipt.tip.head
                if let mended = receipt.mended { writer.onMending(mended) }
                return receipt
            } catch {
                guard case .headMoved(_, let mended) = error else { throw .memory(.log(error)) }
                if let mended { writer.onMending(mended) }
                try refresh()
            }
        }
        throw .memory(.busy)
    }
}
