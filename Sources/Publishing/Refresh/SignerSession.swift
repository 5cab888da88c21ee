package import GronaFormats
import LinuxIO
import LocalSockets
package import StrictJSON

/// The signer as one child, or one connection, for a whole run: `renew --batch`, a line in and a line
/// out, so that a token is logged in to once.
///
/// One that breaks off is started once more; after a second time it is left alone, and each
/// further question is answered by what was wrong last.
package final class SignerSession {
    /// How often it may break off before nobody asks it any more.
    private static let mostBreaks = 2
    private static let keptErrors = 2_000

    private let command: SignerCommand
    private let retriesPIN: Bool
    private var child: ChildProcess?
    private var connection: LocalConnection?
    private var breaks = 0
    private var lastBreak: SignerError?
    private var count = 0
    /// How often it was started.
    package private(set) var starts = 0
    /// The end of what it said on standard error.
    package private(set) var said = ""

    /// - Parameter retriesPIN: tries a PIN again that a token refused.
    package init(_ command: SignerCommand, retriesPIN: Bool = false) {
        self.command = command
        self.retriesPIN = retriesPIN
    }

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
        connection = nil
        if var process = child.take() {
            process.stop(deadline: SystemClock.deadline(after: 5_000_000_000))
            keep(process.errorTail)
        }
    }

    private func ask(
        _ envelope: JSONElement, _ version: ConfigVersion
    ) throws(SignerError) -> SignerAnswer {
        if breaks >= Self.mostBreaks, let lastBreak { throw lastBreak }
        count += 1
        let id = String(count)
        let request = JSONValue.object([
            ("id", .string(id)), ("envelope", .element(envelope)),
            ("version", .integer(version.number)),
        ])
        let line: [UInt8]
        do throws(SignerError) {
            line = try exchange(request.canonical())
        } catch {
            breaks += 1
            lastBreak = error
            throw error
        }
        let document: JSONDocument
        do throws(JSONError) { document = try JSONDocument.parse(line) } catch {
            throw broke(.malformed(error.code))
        }
        do throws(SignerError) {
            let answer = try SignerAnswer(document.root, id: id, said: "", exit: .exited(0))
            breaks = 0
            return answer
        } catch {
            if case .refused(let code, let message, let help, _) = error {
                breaks = 0
                let exit = ChildExit.exited(Self.status(of: code))
                throw .refused(code: code, message: message, help: help, exit: exit)
            }
            if case .malformed = error { throw broke(error) }
            throw error
        }
    }

    /// What comes out of order says that nothing of it can be believed any more.
    private func broke(_ error: SignerError) -> SignerError {
        child = nil
        connection = nil
        breaks += 1
        lastBreak = error
        return error
    }

    private func exchange(_ line: [UInt8]) throws(SignerError) -> [UInt8] {
        switch command.call {
        case .program(let words): try exchange(line, words)
        case .sockets(let folder):
            try exchange(line, at: folder.appending(FilePath(SignerVerb.renew.rawValue)))
        }
    }

    private func exchange(
        _ line: [UInt8], _ words: [FilePath]
    ) throws(SignerError) -> [UInt8] {
        var process: ChildProcess
        do throws(ChildError) {
            if let running = child.take() {
                process = running
            } else {
                process = try start(words)
            }
        } catch {
            throw .notRun(error)
        }
        let answer: [UInt8]?
        do throws(ChildError) {
            try process.writeLine(line)
            answer = try process.readLine(deadline: command.deadline())
        } catch {
            keep(process.errorTail)
            throw .notRun(error)
        }
        guard let answer else {
            let exit = try? process.finish(deadline: SystemClock.deadline(after: 1_000_000_000))
            keep(process.errorTail)
            throw .noAnswer(exit ?? .signalled(9), said: said)
        }
        child = consume process
        return answer
    }

    private func exchange(_ line: [UInt8], at socket: FilePath) throws(SignerError) -> [UInt8] {
        let deadline = command.deadline()
        let answer: [UInt8]?
        do throws(LocalConnectionError) {
            var open: LocalConnection
            if let connected = connection.take() {
                open = connected
            } else {
                starts += 1
                open = try LocalConnection(
                    to: socket, limit: SignerCommand.answerLimit, deadline: deadline)
            }
            try open.writeLine(line)
            answer = try open.readLine(deadline: deadline)
            if answer != nil { connection = consume open }
        } catch {
            throw SignerError(error)
        }
        guard let answer else { throw .hungUp(socket) }
        return answer
    }

    private func start(_ words: [FilePath]) throws(ChildError) -> ChildProcess {
        starts += 1
        let verb = SignerVerb.renew.words + (retriesPIN ? ["--retry-pin"] : [])
        return try ChildProcess(
            ChildProcess.Command(
                words + (verb + command.options).map { FilePath($0) },
                hasOwnGroup: !Terminal.isThere),
            outputLimit: SignerCommand.answerLimit)
    }

    private func keep(_ errors: [UInt8]) {
        said = String(decoding: errors.suffix(Self.keptErrors), as: UTF8.self)
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
