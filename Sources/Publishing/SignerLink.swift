import LinuxIO
import LocalSockets

/// A signer that answers line by line, for as many lines as are asked: a child, or a connection.
struct SignerLink: ~Copyable {
    private var child: ChildProcess?
    private var connection: LocalConnection?

    /// Starts the signer's batch of a kind.
    ///
    /// - Parameter options: more options of the verb, which nobody can give to a signer behind
    ///   sockets; there they are left out.
    init(
        _ command: SignerCommand, _ verb: SignerVerb, options: [String] = []
    ) throws(SignerError) {
        switch command.call {
        case .program(let words):
            let more = verb.words + options + command.options
            let start = ChildProcess.Command(
                words + more.map { FilePath($0) },
                environment: SignerEnvironment.entries(of: Environment.entries()),
                hasOwnGroup: !Terminal.isThere)
            do throws(ChildError) {
                child = try ChildProcess(start, outputLimit: SignerCommand.answerLimit)
            } catch {
                throw .notRun(error)
            }
            connection = nil
        case .sockets(let folder):
            child = nil
            do throws(LocalConnectionError) {
                connection = try LocalConnection(
                    to: folder.appending(FilePath(verb.rawValue)),
                    limit: SignerCommand.answerLimit, deadline: command.deadline())
            } catch {
                throw SignerError(error)
            }
        }
    }

    /// Hands a line to it, which gets there while answers are waited for.
    mutating func send(_ line: [UInt8]) throws(SignerError) {
        do throws(ChildError) { try child?.writeLine(line) } catch { throw .notRun(error) }
        do throws(LocalConnectionError) { try connection?.writeLine(line) } catch {
            throw SignerError(error)
        }
    }

    /// Takes the next line; nil where the signer ended instead.
    mutating func receive(deadline: UInt64) throws(SignerError) -> [UInt8]? {
        do throws(ChildError) {
            if let answer = try child?.readLine(deadline: deadline) { return answer }
        } catch {
            throw .notRun(error)
        }
        do throws(LocalConnectionError) {
            if let answer = try connection?.readLine(deadline: deadline) { return answer }
        } catch {
            throw SignerError(error)
        }
        return nil
    }

    /// Why it ended without an answer.
    mutating func end(deadline: UInt64) -> SignerError {
        if let path = connection?.path { return .hungUp(path) }
        let exit = try? child?.finish(deadline: deadline)
        return .noAnswer(exit ?? .signalled(9), said: String(decoding: errorTail(), as: UTF8.self))
    }

    /// Lets it end by itself, and ends it when it does not.
    mutating func stop(deadline: UInt64) {
        child?.stop(deadline: deadline)
        try? connection?.finish(deadline: deadline)
    }

    /// The last bytes that a child wrote to standard error.
    mutating func errorTail() -> [UInt8] { child?.errorTail ?? [] }
}
