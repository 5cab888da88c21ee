package import GronaFormats
import LinuxIO
package import StrictJSON
import Synchronization

/// The signer as one child, or one connection, for a whole run: `renew --batch`, a line in and a line
/// out, so that a token is logged in to once.
///
/// Several threads may ask: who gets to speak sends the lines of all who wait, so that the signer
/// always has its next lines while stores are written, and hands the answers out, which come in the
/// same order. One that breaks off is started once more; after a second time it is left alone, and
/// each further question is answered by what was wrong last.
package final class SignerSession: Sendable {
    /// How often it may break off before nobody asks it any more.
    private static let mostBreaks = 2
    /// So many lines may be on their way.
    private static let mostAtOnce = 32
    private static let keptErrors = 2_000
    /// The first answer of one that was just started may take so many times as long: it reads ten
    /// thousand keyrings first, or wakes a token.
    private static let firstAnswer = 4

    private struct Question: Sendable {
        let number: Int
        let line: [UInt8]
    }

    private typealias Answer = Result<SignerAnswer, SignerError>

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
        var breaks = 0
        var lastBreak: SignerError?
        var starts = 0
        var said = ""

        mutating func keep(_ errors: [UInt8]) {
            said = String(decoding: errors.suffix(SignerSession.keptErrors), as: UTF8.self)
        }
    }

    private let command: SignerCommand
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
    package func renew(
        _ envelope: JSONElement, version: ConfigVersion
    ) throws(SignerError) -> SignerAnswer {
        var version = version
        for _ in 1..<SignerCommand.maximumTries {
            do throws(SignerError) {
                return try ask(envelope, version)
            } catch {
                guard case .reused(let next, _) = error, next > version else { throw error }
                version = next
            }
        }
        return try ask(envelope, version)
    }

    /// Lets the signer end by itself, and ends it when it does not.
    package func close() {
        talk.withLock { talk in
            guard var link = talk.link.take() else { return }
            link.stop(deadline: SystemClock.deadline(after: 5_000_000_000))
            talk.keep(link.errorTail())
        }
    }

    private func ask(
        _ envelope: JSONElement, _ version: ConfigVersion
    ) throws(SignerError) -> SignerAnswer {
        let number = post.withLock { post in
            post.count += 1
            let request = JSONValue.object([
                ("id", .string(String(post.count))), ("envelope", .element(envelope)),
                ("version", .integer(version.number)),
            ])
            post.questions.append(Question(number: post.count, line: request.canonical()))
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
        while !rest.isEmpty {
            if talk.breaks >= Self.mostBreaks, let lastBreak = talk.lastBreak {
                for question in rest { answer(question, .failure(lastBreak)) }
                return
            }
            // What was sent to one that broke off is sent again to the next.
            var isWhole = true
            do throws(SignerError) {
                try open(&talk)
                for question in rest {
                    pace.wait()
                    try talk.link?.send(question.line)
                }
                while isWhole, let question = rest.first {
                    let line = try receive(&talk)
                    let result = Self.read(line, question)
                    if case .failure(.malformed(let code)) = result {
                        // What comes out of order says that nothing of it can be believed.
                        broke(&talk, .malformed(code))
                        isWhole = false
                    } else {
                        talk.breaks = 0
                    }
                    answer(question, result)
                    rest.removeFirst()
                }
            } catch {
                broke(&talk, error)
                if let question = rest.popFirst() { answer(question, .failure(error)) }
            }
        }
    }

    private func answer(_ question: Question, _ answer: Answer) {
        post.withLock { $0.answers[question.number] = answer }
    }

    private func broke(_ talk: inout Talk, _ error: SignerError) {
        talk.link = nil
        talk.breaks += 1
        talk.lastBreak = error
    }

    private func open(_ talk: inout Talk) throws(SignerError) {
        guard talk.link == nil else { return }
        talk.starts += 1
        talk.hasAnswered = false
        talk.link = try SignerLink(command, .renew, options: retriesPIN ? ["--retry-pin"] : [])
    }

    private func receive(_ talk: inout Talk) throws(SignerError) -> [UInt8] {
        guard var link = talk.link.take() else { throw .malformed("signer.malformed") }
        let line: [UInt8]?
        do throws(SignerError) {
            line = try link.receive(
                deadline: command.deadline(times: talk.hasAnswered ? 1 : Self.firstAnswer))
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
        do throws(SignerError) {
            return .success(
                try SignerAnswer(
                    document.root, id: String(question.number), said: "", exit: .exited(0)))
        } catch {
            guard case .refused(let code, let message, let help, _) = error else {
                return .failure(error)
            }
            let exit = ChildExit.exited(status(of: code))
            return .failure(.refused(code: code, message: message, help: help, exit: exit))
        }
    }

    /// The status with which the signer would have ended for the code alone: a batch says it for
    /// all its lines together.
    static func status(of code: String) -> Int32 {
        let code = code.utf8
        func begins(_ text: String) -> Bool { code.starts(with: text.utf8) }
        if begins("key.pin-") || begins("key.file-mode") || begins("key.denied") { return 77 }
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
