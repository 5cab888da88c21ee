import CommandLineKit
import GronaCommand
import Ledger
import LinuxIO
import StrictJSON

/// The words of shared errors as functions, for `worded`.
enum FileWords {
    static func reading(_ error: FileError) -> Failure { Failure(reading: error) }

    /// A text of our own making that cannot be read.
    static func fault(_ error: JSONError) -> Failure {
        Failure(Diagnostic(error, file: nil, exit: .fault))
    }
}

/// The words for what is wrong with a log.
struct LogWords {
    let log: HashChainLog

    init(_ log: HashChainLog) {
        self.log = log
    }

    func failure(_ error: LedgerError) -> Failure {
        Failure(error, file: log.path.description)
    }
}
