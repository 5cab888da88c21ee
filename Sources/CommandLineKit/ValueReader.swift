package import LinuxIO

/// Why an argument is no value of an option or operand; completes "--name takes …".
package struct ValueRefusal: Error, Sendable, Hashable {
    /// What is taken, such as "a whole number from 1 to 9007199254740991".
    package let expected: String

    package init(expected: String) {
        self.expected = expected
    }
}

/// How the shells complete a value.
package enum Completion: Sendable, Hashable {
    case none
    case file
    case folder
    case words([String])
    /// The names of the program's own commands.
    case commands
}

/// How an argument's bytes become a value.
///
/// Reading is pure: the same bytes give the same answer on every call.
package struct ValueReader<Value: Sendable>: Sendable {
    /// What the help calls the value, such as `FILE`.
    package let valueName: String
    package let completion: Completion
    package let read: @Sendable ([UInt8]) throws(ValueRefusal) -> Value

    package init(
        _ valueName: String, completion: Completion = .none,
        read: @escaping @Sendable ([UInt8]) throws(ValueRefusal) -> Value
    ) {
        self.valueName = valueName
        self.completion = completion
        self.read = read
    }

    /// A reader of text; `read` returns nil for what it refuses.
    ///
    /// It must be UTF-8 without noncharacters, which no I-JSON text has (RFC 7493 2.1): what is
    /// given here stands in logs and keyrings later.
    package static func parsing(
        _ valueName: String, expected: String, completion: Completion = .none,
        _ read: @escaping @Sendable (String) -> Value?
    ) -> ValueReader<Value> {
        ValueReader(valueName, completion: completion) { bytes throws(ValueRefusal) in
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ValueRefusal(expected: "text in UTF-8")
            }
            guard !text.unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint)
            else { throw ValueRefusal(expected: "text without noncharacters") }
            guard let value = read(text) else { throw ValueRefusal(expected: expected) }
            return value
        }
    }
}

extension ValueReader where Value == String {
    /// Any UTF-8 text that is not empty.
    package static func text(_ valueName: String) -> ValueReader<String> {
        parsing(valueName, expected: "text that is not empty") { $0.isEmpty ? nil : $0 }
    }

    /// One of a few words.
    package static func choice(_ valueName: String, _ words: [String]) -> ValueReader<String> {
        parsing(
            valueName, expected: words.joined(separator: ", "), completion: .words(words)
        ) { text in words.contains { $0.utf8.elementsEqual(text.utf8) } ? text : nil }
    }
}

extension ValueReader where Value == FilePath {
    /// The path of a file: bytes, which need not be UTF-8.
    package static func file(_ valueName: String = "FILE") -> ValueReader<FilePath> {
        path(valueName, .file)
    }

    /// The path of a folder.
    package static func folder(_ valueName: String = "DIR") -> ValueReader<FilePath> {
        path(valueName, .folder)
    }

    private static func path(_ name: String, _ kind: Completion) -> ValueReader<FilePath> {
        ValueReader(name, completion: kind) { bytes throws(ValueRefusal) in
            guard !bytes.isEmpty else { throw ValueRefusal(expected: "a path") }
            return FilePath(bytes: bytes)
        }
    }
}

extension ValueReader where Value == Int64 {
    /// A whole number in digits only: no sign, no leading zero, no exponent.
    package static func decimal(
        _ valueName: String = "N", in range: ClosedRange<Int64>
    ) -> ValueReader<Int64> {
        parsing(
            valueName, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            guard let number = strictDecimal(text.utf8), range.contains(number) else { return nil }
            return number
        }
    }
}

/// Reads a whole number that is written in the one form which numbers here have.
///
/// `0`, or digits without a leading zero, up to 2^63 − 1; nothing else, so neither `+5` nor `007`
/// nor `1e3`.
package func strictDecimal(_ digits: some Collection<UInt8>) -> Int64? {
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else {
        return nil
    }
    var number: Int64 = 0
    for digit in digits {
        guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: 10)
        let (sum, carried) = product.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
        guard !overflow, !carried else { return nil }
        number = sum
    }
    return number
}
