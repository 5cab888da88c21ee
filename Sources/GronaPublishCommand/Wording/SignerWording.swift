import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import PublishProtocol
import Publishing

extension Failure {
    /// A signer that gave no envelope.
    init(_ error: SignerError) {
        self.init(SignerWording.diagnostic(error))
    }
}

/// The words for what a signer answers, or does not.
private enum SignerWording {
    static func diagnostic(_ error: SignerError) -> Diagnostic {
        switch error {
        case .notRun(let error): notRun(error)
        case .notReached(let socket, let number):
            Diagnostic(
                code: error.code, message: "cannot be connected to: \(number.text)",
                file: socket.description, help: unreached(number), exit: unreachedStatus(number))
        case .hungUp(let socket):
            Diagnostic(
                code: error.code, message: "the signer closed the connection without an answer",
                file: socket.description,
                help: "its journal says why:"
                    + " journalctl -u 'grona-sign-\(socket.lastComponent ?? "")@*'",
                exit: .unavailable)
        case .noAnswer(let exit, let said):
            Diagnostic(
                code: "signer.no-answer",
                message: "the signer \(words(exit)) without an answer" + quoted(said),
                help: "the same call by hand shows what is wrong", exit: status(exit))
        case .malformed(let code):
            Diagnostic(
                code: "signer.malformed", message: "the signer's answer is none (\(code))",
                exit: .fault)
        case .refused(let code, let message, let help, let file, let exit):
            Diagnostic(
                code: code,
                message: "the signer refused: " + (file.map { "\($0): " } ?? "") + message,
                help: help, exit: status(exit))
        case .outdated(let signed, let message, let exit):
            Diagnostic(
                code: error.code, message: "the signer refused: \(message)",
                help: "publish what was signed"
                    + (signed.map { " as version \($0)" } ?? "")
                    + ", or give it up with 'grona-sign audit withdraw'",
                exit: status(exit))
        case .reused(let next, let message):
            Diagnostic(
                code: error.code, message: "the signer refused: \(message)",
                help: "the same command again asks for \(next)", exit: .tryAgain)
        case .notAsked(let code, let group):
            Diagnostic(
                code: code,
                message: "not asked: the signer broke off again and again for others"
                    + (group.map { " whose key is in \($0)" } ?? ""),
                help: "the lines of the others say how", exit: .unavailable)
        case .lied(let code):
            Diagnostic(
                code: code, message: "what the signer gave does not verify",
                help: "the signer's key, or its host, is not what the keyring says",
                exit: .fault)
        case .otherKey(let kid, let state):
            Diagnostic(
                code: error.code,
                message: "the signer signed with \(kid), which is \(state.rawValue) in this copy of"
                    + " the keyring: "
                    + (Freshness.hasHandedOver(state)
                        ? "it would be due again at once" : "no app has to know it yet")
                    + ", so it is not published",
                help: "the signer's host and this one have different keyrings: bring the change to"
                    + " the one that lacks it",
                exit: .configuration)
        case .differs(let lie):
            Diagnostic(
                code: error.code, message: "the signer gave something else: \(words(lie))",
                help: "it is broken, or not in our hands any more: look at it before anything else",
                exit: .fault)
        }
    }

    private static func words(_ lie: SignerLie) -> String {
        switch lie {
        case .issued(let time, let now): "it says that it was signed at \(time), and it is \(now)"
        case .beyond(let violation): TransitionWording.message(violation)
        case .lifetime(let lives, let asked): "it lives \(lives), and \(asked) were asked for"
        case .version(let version, let asked):
            "it bears version \(version), and \(asked) was asked for"
        case .stillOn(let campaign): "\(campaign) is still on"
        case .offers: "there are offers in it, which were not asked for"
        case .exit(let exit): "the signer \(words(exit)) after it"
        }
    }

    private static func notRun(_ error: ChildError) -> Diagnostic {
        switch error {
        case .cannotStart(let program, let number):
            Diagnostic(
                code: "signer.unavailable", message: "cannot be started: \(number.text)",
                file: program.description,
                help: "--signer CMD says how the signer is called", exit: .unavailable)
        case .timedOut(let program):
            Diagnostic(
                code: "signer.timeout", message: "no answer in time",
                file: program.description, help: "--signer-timeout gives it longer",
                exit: .unavailable)
        case .outputTooLarge(let program, let limit):
            Diagnostic(
                code: "signer.malformed", message: "an answer of more than \(limit) bytes",
                file: program.description, exit: .fault)
        case .system(let error):
            Diagnostic(
                code: "signer.failed", message: "\(error.operation): \(error.number.text)",
                file: error.path?.description, exit: .inputOutput)
        }
    }

    private static func unreached(_ number: ErrorNumber) -> String {
        switch number {
        case .noPermission, .notPermitted:
            "SocketGroup= of the signer's socket units says who may call it"
        case .nameTooLong: "the path of a socket has at most 107 bytes"
        default: "is its socket unit started? systemctl list-sockets 'grona-sign-*'"
        }
    }

    private static func unreachedStatus(_ number: ErrorNumber) -> ExitStatus {
        switch number {
        case .noPermission, .notPermitted: .notAllowed
        case .nameTooLong: .configuration
        default: .unavailable
        }
    }

    private static func words(_ exit: ChildExit) -> String {
        switch exit {
        case .exited(let status): "ended with \(status)"
        case .signalled(let signal): "was ended by signal \(signal)"
        }
    }

    private static func quoted(_ said: String) -> String {
        let line = said.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
        return line.isEmpty ? "" : ": \(line)"
    }

    /// The signer's own status where it is one of ours that says no.
    private static func status(_ exit: ChildExit) -> ExitStatus {
        switch exit {
        case .exited(let code):
            switch ExitStatus(rawValue: code) {
            case nil, .success?, .negative?, .usage?: .fault
            case let status?: status
            }
        case .signalled: .fault
        }
    }
}
