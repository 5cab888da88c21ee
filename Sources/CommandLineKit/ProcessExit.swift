import Glibc
import LinuxIO

/// The end of the process.
package enum ProcessExit {
    package static func exit(_ status: ExitStatus) -> Never {
        ForeignCode.exitIsOurs()
        Glibc.exit(status.rawValue)
    }

    /// Ends the process at once, without the exit handlers of libraries; all output is written.
    package static func leave(_ status: ExitStatus) -> Never {
        Glibc._exit(status.rawValue)
    }
}

extension Console {
    /// Closes standard output, so that an error which a file system reports only then is not lost.
    ///
    /// - Returns: the status to exit with: 74 where a success could not be written down.
    package func closeOutput(after status: ExitStatus) -> ExitStatus {
        do {
            try StandardOutput.close()
            return status
        } catch {
            guard status == .success || status == .negative else { return status }
            report(
                Diagnostic(
                    code: "output.failed", message: "standard output: \(error.number.text)",
                    exit: .inputOutput))
            return .inputOutput
        }
    }
}
