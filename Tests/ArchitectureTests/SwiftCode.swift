/// A Swift file split into what the compiler acts on, and what people read.
///
/// Comments and the contents of string literals are left out of the code; what stands in an
/// interpolation is code.
struct SwiftCode: Sendable {
    /// The code, line by line, as in the file.
    let lines: [Substring]

    init(_ text: String) {
        var reader = Reader(bytes: Array(text.utf8))
        reader.read(untilParenthesis: false)
        lines = String(decoding: reader.code, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The modules that the file imports.
    var imports: [String] {
        lines.compactMap { line in
            guard line.contains("import") else { return nil }
            let words = line.split(separator: " ").map(String.init)
            guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
                words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.access.contains($0) })
            else { return nil }
            let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            let name = kinds.contains(words[place + 1]) ? words[place + 2] : words[place + 1]
            return String(name.prefix { $0 != "." })
        }
    }

    private static let access = ["public", "package", "internal", "fileprivate", "private"]

    private struct Reader {
        let bytes: [UInt8]
        var code: [UInt8] = []
        var index = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        func starts(with text: StaticString) -> Bool {
            starts(with: Array("\(text)".utf8))
        }

        func starts(with text: [UInt8]) -> Bool {
            bytes[index...].starts(with: text)
        }

        mutating func emit(_ byte: Unicode.Scalar) {
            code.append(UInt8(ascii: byte))
        }

        /// Goes on by one byte; a newline stays, so that lines keep their numbers.
        mutating func skip() {
            if bytes[index] == UInt8(ascii: "\n") { emit("\n") }
            index += 1
        }

        mutating func read(untilParenthesis: Bool) {
            var depth = 0
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "/") where starts(with: "//"):
                    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                    continue
                case UInt8(ascii: "/") where starts(with: "/*"):
                    blockComment()
                    continue
                case UInt8(ascii: "\""):
                    string()
                    continue
                case UInt8(ascii: "#") where starts(with: "#\"") || starts(with: "##\""):
                    string()
                    continue
                case UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")"):
                    if untilParenthesis, depth == 0 { return }
                    depth -= 1
                default: break
                }
                code.append(bytes[index])
                index += 1
            }
        }

        mutating func blockComment() {
            var depth = 0
            repeat {
                if starts(with: "/*") {
                    depth += 1
                    index += 2
                } else if starts(with: "*/") {
                    depth -= 1
                    index += 2
                } else {
                    skip()
                }
            } while depth > 0 && index < bytes.count
        }

        mutating func string() {
            var pounds: [UInt8] = []
            while bytes[index] == UInt8(ascii: "#") {
                pounds.append(bytes[index])
                index += 1
            }
            let quotes = Array((starts(with: "\"\"\"") ? "\"\"\"" : "\"").utf8)
            let (end, escape) = (quotes + pounds, [UInt8(ascii: "\\")] + pounds)
            index += quotes.count
            emit("\"")
            while index < bytes.count, !starts(with: end) {
                guard starts(with: escape), index + escape.count < bytes.count else {
                    skip()
                    continue
                }
                index += escape.count
                guard bytes[index] == UInt8(ascii: "(") else {
                    skip()
                    continue
                }
                index += 1
                emit("(")
                read(untilParenthesis: true)
                emit(")")
                index += 1
            }
            index += end.count
            emit("\"")
        }
    }
}
