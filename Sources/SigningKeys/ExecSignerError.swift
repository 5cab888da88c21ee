package import LinuxIO

/// Why an `exec:` program cannot be asked, or what is wrong with its answer.
package struct ExecSignerError: Error, Equatable, Sendable {
    package let program: FilePath
    package let problem: Problem
    /// How many requests it had answered before.
    package let answers: Int
    /// The last bytes that the program wrote to standard error.
    package let errorOutput: [UInt8]

    package init(
        _ program: FilePath, _ problem: Problem, answers: Int = 0, errorOutput: [UInt8] = []
    ) {
        self.program = program
        self.problem = problem
        self.answers = answers
        self.errorOutput = errorOutput
    }

    package enum Problem: Error, Equatable, Sendable {
        /// It is not there, or is no program.
        case cannotStart(ErrorNumber)
        /// Others may change it, or a folder above it.
        case changeable(TrustedOwnership.Violation)
        /// No answer within so many seconds; it is ended and not asked again in this run.
        case timedOut(seconds: Int64)
        /// It ended instead of answering.
        case ended(ChildExit)
        /// It closed its output and went on.
        case closedOutput
        /// What it answered is not what the protocol says.
        case answer(AnswerFault)
        /// It answered that it will not: its words, shortened.
        case refused(code: String, message: String)
        case system(SystemError)
    }

    /// What is wrong with an answer.
    package enum AnswerFault: Hashable, Sendable {
        /// A line of more than so many bytes.
        case tooLong(limit: Int)
        /// Output that belongs to no request: a second line, or one ahead of the question.
        case unasked
        /// The line is no I-JSON text; the code says in what way.
        case notJSON(code: String)
        /// Other members than the one asked for, or than those of an error.
        case members(expected: String)
        /// A member that is no string.
        case notString(String)
        /// Not the base64 text of a P-256 `SubjectPublicKeyInfo`.
        case publicKey
        /// Not the base64url text of 64 bytes or of the DER form.
        case signature
    }
}
