package import GronaFormats
package import LinuxIO
import LocalSockets

/// Why a signer gave no envelope.
package enum SignerError: Error, Sendable, Equatable {
    case notRun(ChildError)
    /// Nobody listens at the socket, or not to this user; the error number says why.
    case notReached(FilePath, ErrorNumber)
    /// It ended without a line.
    case noAnswer(ChildExit, said: String)
    /// It closed the connection without a line.
    case hungUp(FilePath)
    /// Its line is not an answer; the code of what is wrong.
    case malformed(String)
    /// It said why not, and in which file of its own where it knows; `exit` is how it ended.
    case refused(
        code: String, message: String, help: String?, file: String? = nil, exit: ChildExit)
    /// It has signed something newer than the source, under this number where it says so.
    case outdated(signed: ConfigVersion?, message: String, exit: ChildExit)
    /// It gave the number to another document before, and names the next one.
    case reused(ConfigVersion, message: String)
    /// It was not asked: it broke off at others before, with this code; all of them, or those that
    /// one token or program signs.
    case notAsked(String, group: String?)
    /// It gave something that does not verify; the code of the check.
    case lied(code: String)
    /// It signed with a key that does not sign, as this copy of the keyring says: no app has to know
    /// it yet, or it handed over to another one.
    case otherKey(KeyID, KeyState)
    /// It gave another document than was asked for.
    case differs(SignerLie)

    init(_ error: LocalConnectionError) {
        switch error {
        case .notReached(let path, let number): self = .notReached(path, number)
        case .timedOut(let path): self = .notRun(.timedOut(path))
        case .tooMuch(let path, let limit): self = .notRun(.outputTooLarge(path, limit: limit))
        case .system(let error): self = .notRun(.system(error))
        }
    }

    /// Whether it was asked and gave no answer that could be read.
    package var isSilence: Bool {
        switch self {
        case .notRun(.timedOut), .notRun(.outputTooLarge), .notRun(.system), .noAnswer, .hungUp,
            .malformed:
            true
        case .notRun(.cannotStart), .notReached, .refused, .outdated, .reused, .notAsked, .lied,
            .otherKey, .differs:
            false
        }
    }

    /// Whether the signer says it of one key, and will say it of every other key of the same program
    /// or module until it is started again.
    var outlastsItsKey: Bool {
        guard case .refused(let code, _, _, _, _) = self else { return false }
        return ["key.timeout", "key.unreachable", "key.answer"].contains {
            code.utf8.elementsEqual($0.utf8)
        }
    }

    /// The stable code of what went wrong.
    package var code: String {
        switch self {
        case .notRun(.cannotStart): "signer.unavailable"
        case .notRun(.timedOut): "signer.timeout"
        case .notRun(.outputTooLarge), .malformed: "signer.malformed"
        case .notRun(.system): "signer.failed"
        case .notReached(_, .nameTooLong): "signer.command"
        case .notReached(_, .noPermission), .notReached(_, .notPermitted): "signer.denied"
        case .notReached: "signer.unavailable"
        case .noAnswer, .hungUp: "signer.no-answer"
        case .refused(let code, _, _, _, _), .lied(let code), .notAsked(let code, _): code
        case .outdated: RuleCode.transitionStaleSource.rawValue
        case .reused: RuleCode.versionReused.rawValue
        case .otherKey: "signer.key"
        case .differs: "signer.lied"
        }
    }
}
