package import CommandLineKit
package import StrictJSON

extension Diagnostic {
    /// A text that is no I-JSON, with its place.
    package init(_ error: JSONError, file: String?, exit: ExitStatus) {
        self.init(
            code: error.code, message: JSONWording.message(error.detail), file: file,
            line: error.position.line, column: error.position.column, pointer: error.pointer,
            help: JSONWording.help(error.detail), exit: exit)
    }
}

/// The words for what RFC 7493 and RFC 8259 refuse.
package enum JSONWording {
    package static func message(_ problem: JSONProblem) -> String {
        switch problem {
        case .tooLong(let limit): "a JSON text of more than \(limit) bytes"
        case .byteOrderMark: "a byte order mark before the JSON text"
        case .notUTF8Encoding: "UTF-16 or UTF-32, not UTF-8"
        case .invalidUTF8(let detail): "not UTF-8: \(words(detail))"
        case .empty: "no JSON value at all"
        case .truncated: "the text ends inside a value"
        case .trailingData: "something follows the JSON value"
        case .unexpected(let byte, let expected):
            "\(Self.byte(byte)) where \(words(expected)) should be"
        case .trailingComma: "a comma before the closing bracket"
        case .comment: "a comment, which JSON does not have"
        case .controlCharacter(let byte):
            "the control character U+\(hex(UInt32(byte), 4)) in a string, not escaped"
        case .invalidEscape: "a backslash that begins no escape"
        case .loneSurrogate(let value): "half of a surrogate pair, \\u\(hex(UInt32(value), 4))"
        case .noncharacter(let value): "the noncharacter U+\(hex(value, 4))"
        case .number(let detail): "no number as it is read here: \(words(detail))"
        case .duplicateName(let first):
            "a name that the object has already, at \(first.line):\(first.column)"
        case .tooDeep(let limit): "objects and arrays more than \(limit) levels deep"
        }
    }

    static func help(_ problem: JSONProblem) -> String? {
        switch problem {
        case .byteOrderMark, .notUTF8Encoding: "save the file as UTF-8 without a byte order mark"
        case .trailingComma: "remove the comma"
        case .comment: "members whose names begin with $ are not signed and can hold a remark"
        case .duplicateName: "remove one of the two"
        case .controlCharacter: "write it as \\uXXXX"
        case .number(.integerOutOfRange): "write it as a string if all its digits count"
        case .tooLong, .invalidUTF8, .empty, .truncated, .trailingData, .unexpected,
            .invalidEscape, .loneSurrogate, .noncharacter, .number, .tooDeep:
            nil
        }
    }

    private static func words(_ detail: JSONProblem.InvalidUTF8) -> String {
        switch detail {
        case .unexpectedByte(let byte): "byte \(hex(UInt32(byte), 2)) begins no character"
        case .incomplete: "a character without all its bytes"
        case .overlong: "a character in more bytes than it needs"
        case .surrogate: "a surrogate, which UTF-8 does not have"
        case .aboveUnicode: "a character above U+10FFFF"
        }
    }

    private static func words(_ expected: JSONProblem.Expected) -> String {
        switch expected {
        case .value: "a value"
        case .valueOrEndOfArray: "a value or ]"
        case .name: "a name in quotes"
        case .nameOrEndOfObject: "a name in quotes or }"
        case .colon: "a colon"
        case .commaOrEndOfArray: "a comma or ]"
        case .commaOrEndOfObject: "a comma or }"
        case .literal: "the rest of true, false or null"
        }
    }

    private static func words(_ detail: JSONProblem.InvalidNumber) -> String {
        switch detail {
        case .leadingZero: "a leading zero"
        case .plusSign: "a plus sign"
        case .notANumber: "NaN and Infinity are not JSON"
        case .missingDigit: "a digit is missing"
        case .malformed: "a letter or a point after it"
        case .integerOutOfRange: "a whole number beyond 9007199254740991, or below its negative"
        case .overflow: "beyond the largest double"
        case .underflow: "so near to zero that it would become zero"
        }
    }

    private static func byte(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte)
            ? "'\(UnicodeScalar(byte))'" : "byte \(hex(UInt32(byte), 2))"
    }

    private static func hex(_ value: UInt32, _ width: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
