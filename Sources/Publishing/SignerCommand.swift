package import GronaFormats
package import LinuxIO
package import StrictJSON

/// How the signer is called: a program with its options, to which the verb is appended.
///
/// One JSON line goes in, one comes out. This process never has a key. Where nobody could be asked
/// on a terminal, the signer leads a process group of its own: past its time, what it started is
/// ended with it.
package struct SignerCommand: Sendable, Equatable {
    /// The longest answer in bytes, and the most that is read of one.
    private static let answerLimit = 2 << 20

    package let words: [FilePath]
    /// What follows the verb, such as `--now` in a rehearsal.
    package let options: [String]
    package let timeout: DurationSeconds

    package init(words: [FilePath], options: [String] = [], timeout: DurationSeconds) {
        self.words = words
        self.options = options
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
        return try ask("bundle", options: [], .object(members))
    }

    /// Sends one line to the signer's batch of a kind, and takes one line.
    func ask(
        _ verb: String, options more: [String], _ request: JSONValue
    ) throws(SignerError) -> SignerAnswer {
        let command = ChildProcess.Command(
            words + ([verb, "--batch"] + more + options).map { FilePath($0) },
            hasOwnGroup: !Terminal.isThere)
        let nanoseconds = UInt64(clamping: timeout.seconds).multipliedReportingOverflow(
            by: 1_000_000_000)
        let deadline = SystemClock.deadline(
            after: nanoseconds.overflow ? .max : nanoseconds.partialValue)
        let result: ChildProcess.Result
        do {
            result = try ChildProcess.run(
                command, input: request.canonical() + [0x0A], outputLimit: Self.answerLimit,
                deadline: deadline)
        } catch {
            throw .notRun(error)
        }
        let said = String(decoding: result.errorOutput.suffix(2_000), as: UTF8.self)
        guard let end = result.output.firstIndex(of: 0x0A) else {
            throw .noAnswer(result.exit, said: said)
        }
        let document: JSONDocument
        do {
            document = try JSONDocument.parse(Array(result.output[..<end]))
        } catch {
            throw .malformed(error.code)
        }
        return try SignerAnswer(document.root, said: said, exit: result.exit)
    }
}

/// What a signer gave.
package struct SignerAnswer: Sendable {
    package let envelope: JSONElement
    /// The head of its audit log.
    package let auditHead: String?
    /// The end of what it said on standard error.
    package let said: String

    init(_ answer: JSONElement, said: String, exit: ChildExit) throws(SignerError) {
        self.said = said
        if let error = answer["error"], error.kind == .object {
            if let next = error["next_version"]?.integer.flatMap({ ConfigVersion($0) }) {
                throw .reused(next, message: error["message"]?.string ?? "")
            }
            throw .refused(
                code: error["code"]?.string ?? "signer.refused",
                message: error["message"]?.string ?? "", help: error["help"]?.string, exit: exit)
        }
        guard answer["id"]?.string.map({ $0.utf8.elementsEqual("1".utf8) }) ?? false,
            let envelope = answer["envelope"], envelope.kind == .object
        else { throw .malformed("signer.malformed") }
        guard exit == .exited(0) else { throw .differs(.exit(exit)) }
        self.envelope = envelope
        auditHead = answer["audit"]?.string
    }
}

/// Why a signer gave no envelope.
package enum SignerError: Error, Sendable, Equatable {
    case notRun(ChildError)
    /// It ended without a line.
    case noAnswer(ChildExit, said: String)
    /// Its line is not an answer; the code of what is wrong.
    case malformed(String)
    /// It said why not; `exit` is how it ended.
    case refused(code: String, message: String, help: String?, exit: ChildExit)
    /// It gave the number to another document before, and names the next one.
    case reused(ConfigVersion, message: String)
    /// It gave something that does not verify; the code of the check.
    case lied(code: String)
    /// It gave another document than was asked for.
    case differs(SignerLie)

    /// The stable code of what went wrong.
    package var code: String {
        switch self {
        case .notRun(.cannotStart): "signer.unavailable"
        case .notRun(.timedOut): "signer.timeout"
        case .notRun(.outputTooLarge), .malformed: "signer.malformed"
        case .notRun(.system): "signer.failed"
        case .noAnswer: "signer.no-answer"
        case .refused(let code, _, _, _), .lied(let code): code
        case .reused: RuleCode.versionReused.rawValue
        case .differs: "signer.lied"
        }
    }
}
