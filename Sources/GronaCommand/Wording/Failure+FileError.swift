package import CommandLineKit
package import LinuxIO

extension Failure {
    /// A file that could not be read.
    ///
    /// - Parameter exit: the status for a file that is missing or of another kind.
    package init(reading error: FileError, exit: ExitStatus = .noInput) {
        self.init(FileWording(error, .reading(exit)).diagnostic)
    }

    /// An output that could not be made.
    package init(writing error: FileError) {
        self.init(FileWording(error, .writing).diagnostic)
    }

    /// A system call that failed on something other than an input or an output of the command.
    package init(_ error: SystemError) {
        self.init(
            Diagnostic(
                code: "system.\(error.number.name.lowercased())",
                message: "\(error.operation): \(error.number.text)",
                file: error.path?.description, exit: .inputOutput))
    }
}

/// The words for what the file system answers.
private struct FileWording {
    enum Purpose {
        case reading(ExitStatus)
        case writing
    }

    let error: FileError
    let purpose: Purpose

    init(_ error: FileError, _ purpose: Purpose) {
        self.error = error
        self.purpose = purpose
    }

    var diagnostic: Diagnostic {
        switch error {
        case .system(let error): system(error)
        case .tooLarge(let path, let limit):
            Diagnostic(
                code: "input.too-large", message: "more than \(limit) bytes",
                file: path.description, exit: .refused)
        case .notRegular(let path, let kind):
            make("not-a-file", "\(FileWords.name(kind)), not a file", path)
        case .exists(let path):
            make("exists", "there is a file already", path, help: "--force replaces it")
        case .isLink(let path):
            make("not-a-file", "a symbolic link, not a file", path)
        case .locked(let path, let holder):
            Diagnostic(
                code: "lock.held",
                message: holder.map { "process \($0) holds the lock" }
                    ?? "another process holds the lock",
                file: path.description, help: "try again when it is done", exit: .tryAgain)
        case .invalidName(let path):
            make("invalid-name", "no name of a file below the folder", path)
        }
    }

    private func make(
        _ code: String, _ message: String, _ path: FilePath, help: String? = nil
    ) -> Diagnostic {
        switch purpose {
        case .reading(let exit):
            Diagnostic(
                code: "input.\(code)", message: message, file: path.description, exit: exit)
        case .writing:
            Diagnostic(
                code: "output.\(code)", message: message, file: path.description, help: help,
                exit: .cannotCreate)
        }
    }

    private func system(_ error: SystemError) -> Diagnostic {
        let file = error.path?.description
        switch purpose {
        case .reading(let exit):
            let (code, status): (String, ExitStatus) =
                switch error.number {
                case .notFound, .notAFolder: ("input.missing", exit)
                case .inputOutput: ("input.failed", .inputOutput)
                default: ("input.unreadable", exit)
                }
            return Diagnostic(code: code, message: error.number.text, file: file, exit: status)
        case .writing:
            let (code, status): (String, ExitStatus) =
                switch error.number {
                case .noSpace, .quota, .fileTooLarge, .inputOutput, .brokenPipe:
                    ("output.failed", .inputOutput)
                default: ("output.cannot-create", .cannotCreate)
                }
            return Diagnostic(code: code, message: error.number.text, file: file, exit: status)
        }
    }
}
