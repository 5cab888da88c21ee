import CommandLineKit
import GronaCommand
import GronaFormats
import Signing

/// The words for lines of a batch that are no requests.
enum BatchWording {
    static func failure(_ problem: BatchProblem) -> Failure {
        switch problem {
        case .tooLong(let limit):
            make(
                RuleCode.inputTooLarge.rawValue, "a line of more than \(limit) bytes",
                "one request a line")
        case .json(let error): Failure(Diagnostic(error, file: nil, exit: .refused))
        case .notAnObject:
            make("request.malformed", "a request is a JSON object", "see 'grona-sign help'")
        case .missingMember(let name):
            make("request.member", "the member \"\(name)\" is missing", "see 'grona-sign help'")
        case .unknownMember(let name):
            make("request.member", "the member \"\(name)\" is not known", "see 'grona-sign help'")
        case .member(let name):
            make(
                "request.member", "the member \"\(name)\" is not \(expected(name))",
                "see 'grona-sign help'")
        case .envelope(let name):
            make(
                RuleCode.envelopeMalformed.rawValue,
                "\"\(name)\" has not exactly the string members protected, payload, signature",
                "give the envelope as it is served")
        case .disableNotAllowed:
            make(
                "request.disable", "this batch was not started to switch campaigns off",
                "'renew --batch --allow-disable' does")
        }
    }

    /// What a member takes.
    private static func expected(_ name: String) -> String {
        switch name {
        case "id": "a text or a whole number"
        case "version": "a whole number from 1 to 9007199254740991"
        case "lifetime": "whole seconds, or a text such as \"12h\""
        case "disable": "an array of campaign ids"
        case "keep_offers": "true or false"
        case "standing": "true"
        default: "of its type"
        }
    }

    private static func make(_ code: String, _ message: String, _ help: String) -> Failure {
        Failure(Diagnostic(code: code, message: message, help: help, exit: .refused))
    }
}
