package import CommandLineKit
package import Ledger
import LinuxIO

extension Failure {
    /// A log that could not be read or added to.
    ///
    /// - Parameter file: the log's path.
    package init(_ error: LedgerError, file: String) {
        switch error {
        case .file(let error): self.init(reading: error)
        case .unwritten(let error): self = LedgerWording.unwritten(error, file)
        case .notAnObject:
            self.init(
                Diagnostic(
                    code: "log.record", message: "a record is no object", file: file,
                    exit: .configuration))
        case .lineTooLong(let limit):
            self.init(
                Diagnostic(
                    code: "log.record", message: "a line of more than \(limit) bytes", file: file,
                    exit: .configuration))
        case .groupTooLarge(let limit):
            self.init(
                Diagnostic(
                    code: "log.record", message: "more than \(limit) records at once", file: file,
                    exit: .configuration))
        case .broken(let fault):
            self.init(
                Diagnostic(
                    code: LedgerWording.code(fault.kind),
                    message: LedgerWording.message(fault.kind),
                    file: file, line: fault.line,
                    help: "keep the file as it is, and find out who wrote to it",
                    exit: .configuration))
        case .headMoved:
            self.init(
                Diagnostic(
                    code: "log.moved", message: "another process has added to it", file: file,
                    exit: .tryAgain))
        }
    }
}

/// The words for a chain that does not hold.
package enum LedgerWording {
    /// A log that could not be added to: nothing that it should announce may happen.
    static func unwritten(_ error: FileError, _ file: String) -> Failure {
        switch error.number {
        case .noPermission?, .notPermitted?, .readOnlyFileSystem?:
            Failure(
                Diagnostic(
                    code: "log.denied", message: "this user may not add to it",
                    file: file, help: "run as the user who owns it", exit: .notAllowed))
        default: Failure(writing: error)
        }
    }

    package static func code(_ kind: LogFault.Kind) -> String {
        switch kind {
        case .changed: "log.changed"
        case .missing: "log.missing"
        case .reordered: "log.reordered"
        case .unreadable: "log.unreadable"
        case .unknownFormat: "log.format"
        case .headNotFound: "log.cut"
        }
    }

    package static func message(_ kind: LogFault.Kind) -> String {
        switch kind {
        case .changed: "this line was changed after it was written"
        case .missing(let count):
            count == 1 ? "a line is missing here" : "\(count) lines are missing here"
        case .reordered: "another line of the log stands here"
        case .unreadable: "this line is no record"
        case .unknownFormat: "a format that this program does not know"
        case .headNotFound: "no line has the head that was given: the end was cut off or changed"
        }
    }
}
