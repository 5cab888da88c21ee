package import GronaFormats
package import LinuxIO
import LocalSockets
package import StrictJSON

/// How the signer is called.
///
/// One JSON line goes in, one comes out. This process never has a key, and believes nothing of what
/// comes back before it has checked it.
package struct SignerCommand: Sendable, Equatable {
    package enum Call: Sendable, Equatable {
        /// A program with its options, to which the words of the verb are appended. Where nobody
        /// could be asked on a terminal, it leads a process group of its own: past its time, what it
        /// started is ended with it.
        case program([FilePath])
        /// A folder with a Unix socket a verb; behind each, whoever listens starts a signer for
        /// every connection (systemd.socket(5), `Accept=yes`).
        case sockets(FilePath)
    }

    /// The longest answer in bytes, and the most that is read of one.
    static let answerLimit = 2 << 20

    package let call: Call
    /// What follows the verb, such as `--now` in a rehearsal; nothing where it is called by socket.
    package let options: [String]
    package let timeout: DurationSeconds

    package init(words: [FilePath], options: [String] = [], timeout: DurationSeconds) {
        call = .program(words)
        self.options = options
        self.timeout = timeout
    }

    package init(sockets folder: FilePath, timeout: DurationSeconds) {
        call = .sockets(folder)
        options = []
        self.timeout = timeout
    }

    /// Asks for one bundle of a served envelope.
    ///
    /// - Parameters:
    ///   - lifetime: asked for; nil for what the policy says.
    ///   - keepsOffers: leaves the offers in, for a shorter life.
    package func bundle(
        of envelope: JSONElement, lifetime: DurationSeconds?, keepsOffers: Bool
    ) throws(SignerError) -> SignerAnswer {
        var members: [(String, JSONValue)] = [
            ("id", .string("1")), ("envelope", .element(envelope)),
        ]
        if let lifetime { members.append(("lifetime", .integer(lifetime.seconds))) }
        if keepsOffers { members.append(("keep_offers", .boolean(true))) }
        return try ask(.bundle, .object(members))
    }

    /// Sends one line to the signer's batch of a kind, and takes one line.
    func ask(_ verb: SignerVerb, _ request: JSONValue) throws(SignerError) -> SignerAnswer {
        switch call {
        case .program(let words): try ask(words, verb, request.canonical())
        case .sockets(let folder):
            try ask(folder.appending(FilePath(verb.rawValue)), request.canonical())
        }
    }

    private func ask(
        _ words: [FilePath], _ verb: SignerVerb, _ line: [UInt8]
    ) throws(SignerError) -> SignerAnswer {
        let command = ChildProcess.Command(
            words + (verb.words + options).map { FilePath($0) },
            environment: SignerEnvironment.entries(of: Environment.entries()),
            hasOwnGroup: !Terminal.isThere)
        let result: ChildProcess.Result
        do {
            result = try ChildProcess.run(
                command, input: line + [0x0A], outputLimit: Self.answerLimit, deadline: deadline())
        } catch {
            throw .notRun(error)
        }
        let said = String(decoding: result.errorOutput.suffix(2_000), as: UTF8.self)
        guard let end = result.output.firstIndex(of: 0x0A) else {
            throw .noAnswer(result.exit, said: said)
        }
        return try SignerAnswer(
            Self.root(Array(result.output[..<end])), said: said, exit: result.exit)
    }

    /// A batch ends with 65 where it refused; over a socket it is the answer that says so. As with a
    /// program, it is taken only when the signer has come to its end.
    private func ask(_ socket: FilePath, _ line: [UInt8]) throws(SignerError) -> SignerAnswer {
        let deadline = deadline()
        let answer: [UInt8]?
        do {
            var connection = try LocalConnection(
                to: socket, limit: Self.answerLimit, deadline: deadline)
            try connection.writeLine(line)
            try connection.endInput()
            answer = try connection.readLine(deadline: deadline)
            try connection.finish(deadline: deadline)
        } catch {
            throw SignerError(error)
        }
        guard let answer else { throw .hungUp(socket) }
        let root = try Self.root(answer)
        return try SignerAnswer(root, said: "", exit: .exited(root["error"] == nil ? 0 : 65))
    }

    /// The monotonic time until which an answer is waited for.
    ///
    /// - Parameter times: how many times as long as was said.
    func deadline(times: Int = 1) -> UInt64 {
        let nanoseconds = UInt64(clamping: timeout.seconds).multipliedReportingOverflow(
            by: 1_000_000_000 * UInt64(times))
        return SystemClock.deadline(
            after: nanoseconds.overflow ? .max : nanoseconds.partialValue)
    }

    private static func root(_ line: [UInt8]) throws(SignerError) -> JSONElement {
        do {
            return try JSONDocument.parse(line).root
        } catch {
            throw .malformed(error.code)
        }
    }
}
