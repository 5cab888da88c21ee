/// What is wrong at one place of a JSON text, as data; the words are the caller's.
package enum JSONProblem: Sendable, Equatable {
    /// The text is longer than a document can be.
    case tooLong(limit: Int)
    /// UTF-8 with a byte order mark (RFC 8259 8.1).
    case byteOrderMark
    /// UTF-16 or UTF-32, by its mark or by its zero bytes.
    case notUTF8Encoding
    case invalidUTF8(InvalidUTF8)
    /// Nothing but blanks.
    case empty
    /// The text ends inside a value.
    case truncated
    /// Something follows the value.
    case trailingData
    /// Another byte than one of those which could stand here.
    case unexpected(byte: UInt8, expected: Expected)
    /// `,` directly before `]` or `}`.
    case trailingComma
    /// `//`, `/*` or `#`.
    case comment
    /// A control character in a string that is not escaped (RFC 8259 7).
    case controlCharacter(UInt8)
    /// `\` followed by something that is no escape (RFC 8259 7).
    case invalidEscape
    /// Half of a surrogate pair, escaped (RFC 7493 2.1).
    case loneSurrogate(UInt16)
    /// A Unicode noncharacter, escaped or not (RFC 7493 2.1).
    case noncharacter(UInt32)
    case number(InvalidNumber)
    /// A name that the object already has, after unescaping (RFC 7493 2.3).
    case duplicateName(first: JSONPosition)
    /// More objects and arrays inside each other than allowed, those around the text included.
    case tooDeep(limit: Int)

    package enum InvalidUTF8: Sendable, Equatable {
        /// A byte that begins no character.
        case unexpectedByte(UInt8)
        /// A character without all its bytes.
        case incomplete
        /// More bytes than the character needs.
        case overlong
        /// A surrogate, which UTF-8 does not have.
        case surrogate
        /// Above U+10FFFF.
        case aboveUnicode
    }

    package enum Expected: Sendable, Equatable {
        case value
        case valueOrEndOfArray
        case name
        case nameOrEndOfObject
        case colon
        case commaOrEndOfArray
        case commaOrEndOfObject
        /// The rest of `true`, `false` or `null`.
        case literal
    }

    package enum InvalidNumber: Sendable, Equatable {
        case leadingZero
        case plusSign
        /// `NaN`, `Infinity`, with or without a sign.
        case notANumber
        /// No digit where one must stand: after the sign, the point or the `e`, or before the point.
        case missingDigit
        /// A letter or a point directly after the number, such as in `0x10` or `1.2.3`.
        case malformed
        /// Its double is an integer beyond ±(2^53-1) (RFC 7493 2.2).
        case integerOutOfRange
        /// Beyond the largest double.
        case overflow
        /// Not zero, and its double is.
        case underflow
    }

    package var code: String {
        switch self {
        case .tooLong: "json.too-long"
        case .byteOrderMark: "json.bom"
        case .notUTF8Encoding: "json.utf16"
        case .invalidUTF8: "json.utf8"
        case .empty, .truncated: "json.truncated"
        case .trailingData: "json.trailing-data"
        case .unexpected, .trailingComma, .comment: "json.syntax"
        case .controlCharacter: "json.control-character"
        case .invalidEscape: "json.escape"
        case .loneSurrogate: "json.surrogate"
        case .noncharacter: "json.noncharacter"
        case .number: "json.number"
        case .duplicateName: "json.duplicate-name"
        case .tooDeep: "json.too-deep"
        }
    }
}
