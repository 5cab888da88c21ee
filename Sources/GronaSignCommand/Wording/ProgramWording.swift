import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import SigningKeys

/// The words, the next step and the status for `exec:` programs.
enum ProgramWording {
    /// Characters of a program's standard error that are shown.
    private static let shownErrors = 300

    static func failure(_ error: ExecSignerError, _ kid: KeyID) -> Failure {
        switch error.problem {
        case .changeable(let violation):
            Failure(Ownership.diagnostic(violation, of: error.program))
        case .cannotStart(let number):
            make(
                error, "key.unreachable",
                "the program that has \(kid) cannot be started: \(number.text)",
                startHelp(number), .unavailable)
        case .timedOut(let seconds):
            make(
                error, "key.timeout",
                "the program that has \(kid) did not answer within \(seconds) s",
                "it is not asked again in this run; look at the key service, or give it longer with"
                    + " --signer-timeout", .unavailable)
        case .ended(let exit):
            make(
                error, "key.unreachable",
                "the program that has \(kid) ended \(before(error.answers)), \(words(exit))",
                endHelp(error.answers), .unavailable)
        case .closedOutput:
            make(
                error, "key.unreachable",
                "the program that has \(kid) closed its output \(before(error.answers))",
                endHelp(error.answers), .unavailable)
        case .answer(let fault):
            make(
                error, "key.answer", "the program that has \(kid) answered \(words(fault))",
                "nothing was signed; mend the program", .otherSide)
        case .refused(let code, let message):
            make(
                error, "key.refused",
                "the program that has \(kid) refused, \(code): \(message)",
                "nothing was signed; look at the key service", status(ofRefusal: code))
        case .system(let system):
            make(
                error, "key.unreachable",
                "the program that has \(kid) cannot be asked: \(system.number.text)",
                "a fault of this machine; try again", .unavailable)
        }
    }

    /// Two codes have a meaning of their own; everything else is something out of reach.
    private static func status(ofRefusal code: String) -> ExitStatus {
        switch code {
        case "denied": .notAllowed
        case "unknown-key": .configuration
        default: .unavailable
        }
    }

    private static func make(
        _ error: ExecSignerError, _ code: String, _ message: String, _ help: String,
        _ exit: ExitStatus
    ) -> Failure {
        Failure(
            Diagnostic(
                code: code, message: message + said(error.errorOutput),
                file: error.program.description, help: help, exit: exit))
    }

    /// The end of what the program wrote to standard error, on one line.
    private static func said(_ bytes: [UInt8]) -> String {
        var text = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .joined(separator: " | ")
        guard !text.isEmpty else { return "" }
        let scalars = text.unicodeScalars
        if scalars.count > shownErrors {
            var end = "…"
            end.unicodeScalars.append(contentsOf: scalars.suffix(shownErrors))
            text = end
        }
        return "; it wrote: \(text)"
    }

    private static func before(_ answers: Int) -> String {
        switch answers {
        case 0: "without an answer"
        case 1: "after one answer, with the next request unanswered"
        default: "after \(answers) answers, with the next request unanswered"
        }
    }

    private static func endHelp(_ answers: Int) -> String {
        answers == 0
            ? "try it by hand: it reads one JSON line a request and answers with one"
            : "one process answers all requests of a run: it reads on until its input ends"
    }

    private static func startHelp(_ number: ErrorNumber) -> String {
        switch number {
        case .notFound, .notAFolder:
            "install it; what follows exec: is the path of a program and nothing else, no arguments"
        case .noPermission: "it must be a file that this user may run: chmod +x"
        case .notExecutable: "no shell is asked: a script begins with a line such as #!/bin/sh"
        default: "mend the program"
        }
    }

    private static func words(_ exit: ChildExit) -> String {
        switch exit {
        case .exited(let status): "with status \(status)"
        case .signalled(let signal): "by signal \(signal)"
        }
    }

    private static func words(_ fault: ExecSignerError.AnswerFault) -> String {
        switch fault {
        case .tooLong(let limit): "with a line of more than \(limit) bytes"
        case .unasked: "what it was not asked: one line a request"
        case .notJSON(let code): "with a line that is not JSON (\(code))"
        case .members(let expected):
            expected == "error"
                ? "with an error that has not exactly \"code\" and \"message\""
                : "with something else than an object of one member, \"\(expected)\""
        case .notString(let name): "with a \"\(name)\" that is no string"
        case .publicKey:
            "with a \"public\" that is not the base64 text of a P-256 SubjectPublicKeyInfo"
        case .signature:
            "with a \"signature\" that is not the base64url text of 64 bytes or of strict DER"
        }
    }
}
