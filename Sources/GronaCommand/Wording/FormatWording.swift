package import CommandLineKit
package import GronaFormats
import StrictJSON

extension Diagnostic {
    /// A file of ours that is not of its form, with its place.
    package init(_ error: FormatError, file: String?, exit: ExitStatus = .configuration) {
        self.init(
            code: error.code.rawValue, message: FormatWording.message(error.problem), file: file,
            line: error.position.line, column: error.position.column, pointer: error.pointer,
            exit: exit)
    }
}

/// The words for what is wrong with a keyring or a pins file.
package enum FormatWording {
    package static func message(_ problem: FormatProblem) -> String {
        switch problem {
        case .json(let problem): JSONWording.message(problem)
        case .notAnObject: "not a JSON object"
        case .missing(let member): "the member \"\(member)\" is missing"
        case .unknownMember(let name): "the member \"\(name)\" is not known"
        case .wrongType(let expected): "not \(RuleWording.words(expected))"
        case .notA(let pattern): "not \(words(pattern))"
        case .unknownFormat(nil): "the format is not a number; 1 is known"
        case .unknownFormat(let found?): "format \(found) is not known; 1 is"
        case .tooLarge(let found, let limit): "\(found) bytes is over the limit of \(limit) bytes"
        case .kidTwice(let kid): "the kid \(kid) stands here twice"
        case .keyTwice(let first, let second): "\(first) and \(second) are one key"
        case .keyForBothUses(let first, let second):
            "\(first) and \(second) are one key, for configs and for grants"
        case .currentTwice(let first, let second):
            "\(first) and \(second) are both current, where one key of a use is"
        case .historyEndsElsewhere(let state):
            "the history does not end with the state, \(state.rawValue)"
        case .wrongWorkspace(let found, let needed):
            "for the workspace \"\(found)\", where \"\(needed)\" is needed"
        }
    }

    private static func words(_ pattern: FormatPattern) -> String {
        switch pattern {
        case .keyringID: "a keyring's id"
        case .workspaceName: "a workspace: a-z, 0-9 and dashes, at most 63 characters"
        case .keyID: "a key id of 1 to 128 letters, digits, dots, dashes, underscores, colons"
        case .keyUse: "a use: config or grant"
        case .keyState: "a state of a key"
        case .publicKey: "a P-256 public key: base64 of 91 bytes of DER"
        case .thumbprint: "an RFC 7638 thumbprint: 43 characters of base64url"
        case .time: "a time in Unix seconds, from 2020 to 2100"
        case .signerURI: "a signer URI such as file:acme-market-2026-10.pem"
        }
    }
}
