package import GronaFormats
import LinuxIO
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
    private var link: SignerLink?
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
        if var link = link.take() {
            link.stop(deadline: SystemClock.deadline(after: 5_000_000_000))
            keep(link.errorTail())
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
        link = nil
        breaks += 1
        lastBreak = error
        return error
    }

    private func exchange(_ line: [UInt8]) throws(SignerError) -> [UInt8] {
        var open: SignerLink
        if let running = link.take() {
            open = running
        } else {
            starts += 1
            open = try SignerLink(
                command, .renew, options: retriesPIN ? ["--retry-pin"] : [])
        }
        let answer: [UInt8]?
        do throws(SignerError) {
            answer = try open.exchange(line, deadline: command.deadline())
        } catch {
            keep(open.errorTail())
            throw error
        }
        guard let answer else {
            let error = open.end(deadline: SystemClock.deadline(after: 1_000_000_000))
            keep(open.errorTail())
            throw error
        }
        link = consume open
        return answer
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
