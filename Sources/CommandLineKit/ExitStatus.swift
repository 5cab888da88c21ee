/// What a program's exit status tells a script.
///
/// Numbers above 63 are those of `sysexits.h`; 128 + n is left to the shell, for a program that
/// signal n ended.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Done, or the question was answered with yes; also when it had been done already.
    case success = 0
    /// The question was answered with no, for malformed input too.
    case negative = 1
    /// Wrong use: unknown option, missing value, a number in another form.
    case usage = 64
    /// The input or the policy refuses it.
    case refused = 65
    /// An input is missing or unreadable.
    case noInput = 66
    /// Something that is needed cannot be reached.
    case unavailable = 69
    /// A fault of the program, or a signer that lies.
    case fault = 70
    /// The output cannot be made.
    case cannotCreate = 73
    /// Reading or writing failed: disk full, stdout closed.
    case inputOutput = 74
    /// Nothing is wrong that the same call could not pass later.
    case tryAgain = 75
    /// The other side broke the contract.
    case otherSide = 76
    /// Not allowed: a mode, a PIN, a server's 401 or 403.
    case notAllowed = 77
    /// Settings, pins or a keyring are wrong.
    case configuration = 78

    /// The row of the manual's table, a few words without a full stop.
    package var meaning: String {
        switch self {
        case .success: "done, or yes; also: already done"
        case .negative: "the question was answered with no, for malformed input too"
        case .usage: "wrong use: unknown option, missing value, a number in another form"
        case .refused: "the input or the policy refuses it"
        case .noInput: "an input is missing or unreadable"
        case .unavailable: "something needed is unreachable, or did not answer in time"
        case .fault: "a fault of the program, or a signer that lies"
        case .cannotCreate: "the output cannot be made: it exists, or is no regular file"
        case .inputOutput: "input/output error: disk full, standard output closed"
        case .tryAgain: "try again: a lock, a version that is taken, a swap that was lost"
        case .otherSide: "the other side broke the contract"
        case .notAllowed: "not allowed: a file's mode, a PIN, a server's refusal"
        case .configuration: "settings, pins or keyring are wrong"
        }
    }
}
