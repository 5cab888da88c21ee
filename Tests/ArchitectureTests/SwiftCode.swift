/// A Swift file split into what the compiler acts on, and what people read.
///
/// Comments and the contents of string literals are left out of the code; what stands in an
/// interpolation is code.
struct SwiftCode {
    /// The code, line by line, as in the file.
    private(set) var lines: [String] = [""]
    /// The comments, each with the number of the line on which it begins.
    private(set) var comments: [(line: Int, text: String)] = []

    private var characters: [Character]
    private var index = 0

    init(_ text: String) {
        characters = Array(text)
        read(untilParenthesis: false)
        characters = []
    }

    /// The modules that the file imports.
    var imports: [String] {
        lines.compactMap { line in
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

    private func starts(with text: String) -> Bool {
        let end = index + text.count
        return end <= characters.count && String(characters[index..<end]) == text
    }

    private mutating func emit(_ character: Character) {
        if character.isNewline {
            lines.append("")
        } else {
            lines[lines.count - 1].append(character)
        }
    }

    private mutating func read(untilParenthesis: Bool) {
        var depth = 0
        while index < characters.count {
            if starts(with: "//") {
                comment { !$0.isNewline }
            } else if starts(with: "/*") {
                blockComment()
            } else if starts(with: "\"") || starts(with: "#\"") || starts(with: "##\"") {
                string()
            } else {
                let character = characters[index]
                if character == "(" { depth += 1 }
                if character == ")" {
                    if untilParenthesis, depth == 0 { return }
                    depth -= 1
                }
                emit(character)
                index += 1
            }
        }
    }

    private mutating func comment(while holds: (Character) -> Bool) {
        let start = index
        while index < characters.count, holds(characters[index]) { index += 1 }
        comments.append((lines.count, String(characters[start..<index])))
    }

    private mutating func blockComment() {
        let (start, line) = (index, lines.count)
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                index += 2
            } else if starts(with: "*/") {
                depth -= 1
                index += 2
            } else {
                if characters[index].isNewline { emit(characters[index]) }
                index += 1
            }
        } while depth > 0 && index < characters.count
        comments.append((line, String(characters[start..<index])))
    }

    private mutating func string() {
        var pounds = ""
        while characters[index] == "#" {
            pounds.append("#")
            index += 1
        }
        let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
        index += quotes.count
        emit("\"")
        while index < characters.count, !starts(with: quotes + pounds) {
            if starts(with: "\\" + pounds + "(") {
                index += pounds.count + 2
                emit("(")
                read(untilParenthesis: true)
                emit(")")
                index += 1
            } else if starts(with: "\\" + pounds) {
                index += pounds.count + 2
            } else {
                if characters[index].isNewline { emit(characters[index]) }
                index += 1
            }
        }
        index += quotes.count + pounds.count
        emit("\"")
    }
}
