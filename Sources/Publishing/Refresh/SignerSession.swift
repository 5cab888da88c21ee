import GronaFormats
import LinuxIO
import StrictJSON
import Synchronization

/// The signer as one child, or one connection, for a whole run: `renew --batch`, a line in and a line
/// out, so that a token is logged in to once.
///
/// Several threads may ask: who gets to speak sends the lines of all who wait, so that the signer
/// always has its next lines while stores are written, and hands the answers out, which come in the
/// same order. Where it breaks off, what it had not answered is asked line by line, so that one
/// question costs nobody else an answer: the one it breaks off at is answered by that, a token or
/// program at whose questions it does so twice is asked no more, and it is started again for the
/// rest. The same where it says that a program or module is late or broke off: it asks that one no
/// more itself, so what it says of the other keys there counts for nothing. One that cannot be started, or that breaks off again and again, is left alone.
package final class SignerSession: Sendable {
    /// How often it may break off at questions of one token or program.
    private static let mostBreaks = 2
    /// How often it may break off in a row, and how often it is not there, before nobody asks it.
    private static let mostBreaksInARow = 5
    private static let mostAbsences = 2
    /// So many lines may be on their way.
    private static let mostAtOnce = 32
    private static let keptErrors = 2_000
    /// The first answer of a run may take so many times as long: the signer reads ten thousand
    /// keyrings first, or wakes a token. One that is started again, after it broke off, has the time
    /// of any other answer, since it may do so again.
    private static let firstAnswer = 2

    private struct Question: Sendable {
        let number: Int
        let line: [UInt8]
        /// The token or program that signs it; nil where it signs for one workspace alone.
        let group: String?
        /// Whether it asks for a word and for no signature.
        let isOfStanding: Bool
    }

    private enum Reply: Sendable {
        case signed(SignerAnswer)
        /// Nil where it answered with something else.
        case standing(SignerStanding?)
    }

    private typealias Answer = Result<Reply, SignerError>

    /// Questions that nobody has sent yet, and answers that nobody has taken yet.
    private struct Post: Sendable {
        var count = 0
        var questions: [Question] = []
        var answers: [Int: Answer] = [:]
    }

    /// Of who speaks.
    private struct Talk: ~Copyable {
        var link: SignerLink?
        var hasAnswered = false
        var breaksInARow = 0
        var absences = 0
        var lastBreak: SignerError?
        var groups: [String: (breaks: Int, last: SignerError)] = [:]
        var starts = 0
        var said = ""

        mutating func keep(_ errors: [UInt8]) {
            said = String(decoding: errors.suffix(SignerSession.keptErrors), as: UTF8.self)
        }

        /// Why a question is not asked any more.
        func refusal(of question: Question) -> SignerError? {
            if let lastBreak, absences >= SignerSession.mostAbsences { return lastBreak }
            if let lastBreak, breaksInARow >= SignerSession.mostBreaksInARow {
                return .notAsked(lastBreak.code, group: nil)
            }
            guard let group = question.group, let known = groups[group],
                known.breaks >= SignerSession.mostBreaks
            else { return nil }
            return .notAsked(known.last.code, group: group)
        }

        /// Puts down at what it broke off.
        mutating func broke(at question: Question, _ error: SignerError) {
            lastBreak = error
            switch error {
            case .notRun(.cannotStart), .notReached:
                absences += 1
            default:
                breaksInARow += 1
                guard let group = question.group else { return }
                groups[group] = ((groups[group]?.breaks ?? 0) + 1, error)
            }
        }

        mutating func answered() {
            breaksInARow = 0
            absences = 0
        }
    }

    package let command: SignerCommand
    private let retriesPIN: Bool
    private let pace: Pace
    private let post = Mutex(Post())
    private let talk = Mutex(Talk())

    /// - Parameters:
    ///   - retriesPIN: tries a PIN again that a token refused.
    ///   - perSecond: the most requests a second.
    package init(_ command: SignerCommand, retriesPIN: Bool = false, perSecond: Int? = nil) {
        self.command = command
        self.retriesPIN = retriesPIN
        pace = Pace(perSecond: perSecond)
    }

    /// How often it was started.
    package var starts: Int { talk.withLock { $0.starts } }

    /// The end of what it said on standard error.
    package var said: String { talk.withLock { $0.said } }

    /// Asks for the same content with new times; where the signer gave the number to another
    /// document before, with the number that it names.
    ///
    /// - Parameter group: the token or program that signs it; nil where it signs for one workspace.
    fileprivate func renew(
        _ envelope: JSONElement, version: ConfigVersion, group: String?
    ) throws(SignerError) -> SignerAnswer {
        try SignerCommand.numbered(from: version) { version throws(SignerError) in
            let members: [(String, JSONValue)] = [
                ("envelope", .element(envelope)), ("version", .integer(version.number)),
            ]
            guard case .signed(let answer) = try ask(members, group, isOfStanding: false) else {
                throw .malformed("signer.malformed")
            }
            return answer
        }
    }

    /// Whether the signer stands by an envelope; nil where it gives no answer, or is of a release
    /// that knows no such question.
    fileprivate func standing(of envelope: JSONElement, group: String?) -> SignerStanding? {
        let members: [(String, JSONValue)] = [
            ("envelope", .element(envelope)), ("standing", .boolean(true)),
        ]
        guard case .standing(let word)? = try? ask(members, group, isOfStanding: true) else {
            return nil
        }
        return word
    }

    /// This signer, for questions about what one token or program signs.
    package func asking(for group: String?) -> some Renewing {
        SignerVoice(session: self, group: group)
    }

    /// Lets the signer end by itself, and ends it when it does not.
    package func close() {
        talk.withLock { stop(&$0) }
    }

    private func stop(_ talk: inout Talk) {
        guard var link = talk.link.take() else { return }
        link.stop(deadline: SystemClock.deadline(after: 5_000_000_000))
        talk.keep(link.errorTail())
    }

    private func ask(
        _ members: [(String, JSONValue)], _ group: String?, isOfStanding: Bool
    ) throws(SignerError) -> Reply {
        let number = post.withLock { post in
            post.count += 1
            let request = JSONValue.object([("id", .string(String(post.count)))] + members)
            post.questions.append(
                Question(
                    number: post.count, line: request.canonical(), group: group,
                    isOfStanding: isOfStanding))
            return post.count
        }
        let answer = talk.withLock { talk in
            while true {
                // Who spoke before may have asked for us.
                if let answer = post.withLock({ $0.answers.removeValue(forKey: number) }) {
                    return answer
                }
                let group = post.withLock { post in
                    let group = Array(post.questions.prefix(Self.mostAtOnce))
                    post.questions.removeFirst(group.count)
                    return group
                }
                send(group, &talk)
            }
        }
        return try answer.get()
    }

    /// Asks a group; each of them has an answer afterwards.
    private func send(_ group: [Question], _ talk: inout Talk) {
        var rest = group[...]
        var isTogether = true
        while let first = rest.first {
            if let refusal = talk.refusal(of: first) {
                answer(first, .failure(refusal))
                rest.removeFirst()
                continue
            }
            var asked = rest.prefix(1)
            if isTogether {
                for question in rest.dropFirst() {
                    guard talk.refusal(of: question) == nil else { break }
                    asked.append(question)
                }
            }
            do throws(SignerError) {
                try open(&talk)
                for question in asked {
                    pace.wait()
                    try talk.link?.send(question.line)
                }
                // Of a token or program that is broken for this signer, and was not before.
                var again: [Question] = []
                var broken: Set<String> = []
                for question in asked {
                    let answered = Self.read(try receive(&talk), question)
                    // What comes out of order says that nothing of it can be believed.
                    if case .failure(.malformed(let code)) = answered {
                        throw SignerError.malformed(code)
                    }
                    talk.answered()
                    rest.removeFirst()
                    if let group = question.group, case .failure(let error) = answered,
                        error.outlastsItsKey
                    {
                        guard broken.insert(group).inserted else {
                            again.append(question)
                            continue
                        }
                        talk.broke(at: question, error)
                    }
                    answer(question, answered)
                }
                if !broken.isEmpty {
                    stop(&talk)
                    rest = again + rest
                }
            } catch {
                talk.link = nil
                // At which of several it broke off, only asking one by one tells.
                if rest.count > 1, isTogether {
                    isTogether = false
                } else if let question = rest.popFirst() {
                    talk.broke(at: question, error)
                    answer(question, .failure(error))
                }
            }
        }
    }

    private func answer(_ question: Question, _ answer: Answer) {
        post.withLock { $0.answers[question.number] = answer }
    }

    private func open(_ talk: inout Talk) throws(SignerError) {
        guard talk.link == nil else { return }
        talk.starts += 1
        talk.link = try SignerLink(command, .renew, options: retriesPIN ? ["--retry-pin"] : [])
    }

    private func receive(_ talk: inout Talk) throws(SignerError) -> [UInt8] {
        guard var link = talk.link.take() else { throw .malformed("signer.malformed") }
        let line: [UInt8]?
        do throws(SignerError) {
            line = try link.receive(
                deadline: command.deadline(
                    times: talk.starts > 1 || talk.hasAnswered ? 1 : Self.firstAnswer))
        } catch {
            talk.keep(link.errorTail())
            throw error
        }
        guard let line else {
            let error = link.end(deadline: SystemClock.deadline(after: 1_000_000_000))
            talk.keep(link.errorTail())
            throw error
        }
        talk.hasAnswered = true
        talk.link = consume link
        return line
    }

    private static func read(_ line: [UInt8], _ question: Question) -> Answer {
        let document: JSONDocument
        do throws(JSONError) { document = try JSONDocument.parse(line) } catch {
            return .failure(.malformed(error.code))
        }
        // A line that it could not read has no id.
        if let id = document.root["id"], id.kind != .null,
            id.string.map({ $0.utf8.elementsEqual(String(question.number).utf8) }) != true
        {
            return .failure(.malformed("signer.malformed"))
        }
        if question.isOfStanding { return .success(.standing(SignerStanding(document.root))) }
        do throws(SignerError) {
            return .success(
                .signed(
                    try SignerAnswer(
                        document.root, id: String(question.number), said: "", exit: .exited(0))))
        } catch {
            guard case .refused(let code, let message, let help, let file, _) = error else {
                return .failure(error)
            }
            let exit = ChildExit.exited(status(of: code))
            return .failure(
                .refused(code: code, message: message, help: help, file: file, exit: exit))
        }
    }

    /// The status with which the signer would have ended for the code alone: a batch says it for
    /// all its lines together.
    static func status(of code: String) -> Int32 {
        let code = code.utf8
        func begins(_ text: String) -> Bool { code.starts(with: text.utf8) }
        if begins("input.unreadable") || begins("input.missing") { return 66 }
        if begins("key.pin-") || begins("key.file-mode") || begins("key.denied")
            || ["key.unsafe-file", "key.passphrase-needed", "key.wrong-passphrase", "key.prompt"]
                .contains(where: begins)
        {
            return 77
        }
        if begins("key.bad-signature") || begins("signature.") { return 70 }
        if ["key.timeout", "key.token", "key.module", "key.failed"].contains(where: begins) {
            return 69
        }
        if begins("key.") || begins("keyring.") || begins("unsafe.") || begins("settings.") {
            return 78
        }
        return 65
    }
}

/// Speaks to the signer for one token or program.
private struct SignerVoice: Renewing {
    let session: SignerSession
    let group: String?

    func renew(
        _ envelope: JSONElement, version: ConfigVersion
    ) throws(SignerError) -> SignerAnswer {
        try session.renew(envelope, version: version, group: group)
    }

    func standing(of envelope: JSONElement) -> SignerStanding? {
        session.standing(of: envelope, group: group)
    }
}
