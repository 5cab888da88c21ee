package import GronaFormats
import StrictJSON

/// The words for what a document is rejected by.
package enum RuleWording {
    /// One line about a violation, from its facts and, where there are none, from its code.
    package static func message(_ violation: RuleViolation) -> String {
        switch violation.detail {
        case .none: summary(violation.code)
        case .size(let found, let limit): "\(found) bytes is over the limit of \(limit) bytes"
        case .notBase64URL: "not base64url without padding"
        case .json(let error):
            "\(JSONWording.message(error.detail)), at \(error.position.line):\(error.position.column)"
        case .parts(let found): "\(found) parts instead of 3"
        case .notAnObject: "not a JSON object"
        case .members(let found): "the members are \(list(found)), not those that must stand there"
        case .member(let pointer, let expected, true):
            "\(pointer) is missing: \(words(expected))"
        case .member(let pointer, let expected, false): "\(pointer) is not \(words(expected))"
        case .unwanted(let name): "\"\(name)\" must not be there"
        case .text(nil, let needed): "not a string; \"\(needed)\" is needed"
        case .text(let found?, let needed): "\"\(found)\", where \"\(needed)\" is needed"
        case .kid(nil, _): "the kid is not a string"
        case .kid(let kid?, nil): "no trusted key is called \"\(kid)\""
        case .kid(let kid?, let state?):
            "the key \"\(kid)\" is not trusted: it is \(state.rawValue)"
        case .signatureLength(let found): "\(found) bytes instead of 64"
        case .number(let found, let needed): "\(found), where \(needed) is needed"
        case .version(let found, let highest):
            "version \(found) is below \(highest), the highest accepted so far"
        case .sdk(let needed, let available):
            "needs SDK \(needed), and this one is \(available)"
        case .outOfBounds(let time): "\(time) is not within 2020 to 2100"
        case .ahead(let time, let now, let allowed):
            "\(time) is more than \(allowed) ahead of \(now)"
        case .endsBeforeItBegins(let from, let to): "it ends at \(to), not after \(from)"
        case .tooLong(let found, let limit): "\(found) is over the limit of \(limit)"
        case .expired(let time, let now): "expired at \(time), and it is \(now)"
        case .used(let nonce): "\"\(nonce)\" was used before"
        case .demoSwitches(let install, let config):
            "demo mode is \(config ? "on" : "off") in the config and \(install ? "on" : "off") in"
                + " the app; ungranted offers need both"
        }
    }

    /// What the code says without facts.
    static func summary(_ code: RuleCode) -> String {
        switch code {
        case .envelopeMalformed: "not exactly the string members protected, payload, signature"
        case .signatureInvalid: "the signature does not hold for the key that kid names"
        case .signatureMalformed: "no signature of 64 bytes in base64url"
        case .headerUnknownKid: "no trusted key has the kid"
        default: "refused by the rule \(code)"
        }
    }

    /// What a member should have been, with its article.
    package static func words(_ expected: MemberExpectation) -> String {
        switch expected {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .boolean: "true or false"
        case .integer: "a whole number written in digits"
        case .positiveInteger: "a whole number from 1 to 9007199254740991"
        case .nonNegativeInteger: "a whole number from 0 to 9007199254740991"
        case .identifier: "an id of 1 to 128 letters, digits, dots, dashes, underscores, colons"
        case .sdkVersion: "a version such as 1.4.0"
        case .alwaysTrue: "true"
        case .alwaysFalse: "false"
        case .knownValue: "a value that is known here"
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
