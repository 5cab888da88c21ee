import GronaFormats
import LinuxIO
import SigningKeys

/// Requests and answers in step with each other.
///
/// Where that may not hold any more, the program is ended and the failure stands for all that
/// follows: a late answer is never taken for that of another request.
struct ExecConversation: ~Copyable {
    /// How long a program has to end after its input has been closed, in nanoseconds.
    private static let patience: UInt64 = 2_000_000_000
    /// And how long after SIGTERM, in milliseconds.
    private static let lastPatience: UInt32 = 200
    /// Bytes of standard error that an error carries.
    private static let keptErrors = 1000

    private let program: FilePath
    private let timeout: DurationSeconds
    private var child: ChildProcess?
    /// How many requests it has answered.
    private var answers = 0
    private var failure: ExecSignerError?

    init(_ program: FilePath, timeout: DurationSeconds) {
        self.program = program
        self.timeout = timeout
        child = nil
        failure = nil
    }

    mutating func ask<Answer>(
        _ request: ExecRequest, _ read: ([UInt8]) throws(ExecSignerError.Problem) -> Answer
    ) throws(ExecSignerError) -> Answer {
        if let failure { throw failure }
        do throws(ExecSignerError.Problem) {
            let answer = try read(line(answering: request))
            answers += 1
            return answer
        } catch {
            let failure = ExecSignerError(
                program, error, answers: answers,
                errorOutput: Array((child?.errorTail ?? []).suffix(Self.keptErrors)))
            // One that says no is still in step.
            if case .refused = error {
                answers += 1
                throw failure
            }
            self.failure = failure
            child = nil
            throw failure
        }
    }

    /// Ends the program in order; it is not asked again.
    mutating func close() {
        child?.stop(deadline: SystemClock.deadline(after: Self.patience))
        child = nil
        failure = failure ?? ExecSignerError(program, .ended(.exited(0)))
    }

    private mutating func line(
        answering request: ExecRequest
    ) throws(ExecSignerError.Problem) -> [UInt8] {
        let limit = timeout.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let deadline = SystemClock.deadline(
            after: limit.overflow ? .max : UInt64(clamping: limit.partialValue))
        try start()
        try expectSilence()
        let answer = try withChild { child throws(ChildError) in
            try child.writeLine(request.line)
            return try child.readLine(deadline: deadline)
        }
        guard let answer else { throw try end() }
        try expectSilence()
        return answer
    }

    private mutating func start() throws(ExecSignerError.Problem) {
        guard child == nil else { return }
        do {
            child = try ChildProcess(
                ChildProcess.Command(
                    [program], hasOwnGroup: true, patience: Self.lastPatience, folder: "/"),
                outputLimit: ExecAnswer.limit)
        } catch {
            throw problem(error)
        }
    }

    /// What a program says unasked would be taken for the answer to something else.
    private mutating func expectSilence() throws(ExecSignerError.Problem) {
        let isTalking = try withChild { child throws(ChildError) in try child.hasOutput() }
        guard !isTalking else { throw .answer(.unasked) }
    }

    /// How a program ended that has closed its output.
    private mutating func end() throws(ExecSignerError.Problem) -> ExecSignerError.Problem {
        let deadline = SystemClock.deadline(after: Self.patience)
        do throws(ExecSignerError.Problem) {
            return .ended(
                try withChild { child throws(ChildError) in try child.finish(deadline: deadline) })
        } catch {
            guard case .timedOut = error else { throw error }
            return .closedOutput
        }
    }

    private mutating func withChild<Answer>(
        _ body: (inout ChildProcess) throws(ChildError) -> Answer
    ) throws(ExecSignerError.Problem) -> Answer {
        guard var process = child.take() else { throw .closedOutput }
        let result: Result<Answer, ChildError>
        do throws(ChildError) {
            result = .success(try body(&process))
        } catch {
            result = .failure(error)
        }
        child = consume process
        switch result {
        case .success(let answer): return answer
        case .failure(let error): throw problem(error)
        }
    }

    private func problem(_ error: ChildError) -> ExecSignerError.Problem {
        switch error {
        case .cannotStart(_, let number): .cannotStart(number)
        case .timedOut: .timedOut(seconds: timeout.seconds)
        case .outputTooLarge(_, let limit): .answer(.tooLong(limit: limit))
        case .system(let error): .system(error)
        }
    }
}
