import GronaFormats
import LinuxIO
import SigningKeys
import Synchronization

/// One program in one run: what is asked at a time by one thread waits for its answer.
final class ExecSession: Sendable {
    private let conversation: Mutex<ExecConversation>

    init(_ program: FilePath, timeout: DurationSeconds) {
        conversation = Mutex(ExecConversation(program, timeout: timeout))
    }

    /// - Parameter read: makes a value of the answer's line.
    func ask<Answer: Sendable>(
        _ request: ExecRequest,
        _ read: @Sendable ([UInt8]) throws(ExecSignerError.Problem) -> Answer
    ) throws(SigningKeyError) -> Answer {
        do throws(ExecSignerError) {
            return try conversation.withLock { conversation throws(ExecSignerError) in
                try conversation.ask(request, read)
            }
        } catch {
            throw .program(error)
        }
    }

    func close() {
        conversation.withLock { $0.close() }
    }
}
