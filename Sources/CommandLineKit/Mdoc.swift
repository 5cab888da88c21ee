/// Text as mdoc(7) takes it.
enum Mdoc {
    /// Characters that the formatter would read as its own are escaped; others than ASCII are named.
    static func text(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "…": result += "..."
            case " "..."~": result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return result
    }

    /// A line of text that is no macro.
    static func line(_ text: String) -> String {
        let escaped = self.text(text)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// One argument of a macro, in quotes where it has blanks, never a macro itself.
    static func argument(_ text: String) -> String {
        var escaped = self.text(text)
        if escaped.count <= 3 || text.allSatisfy({ ".,:;()[]?!|".contains($0) }) {
            escaped = "\\&" + escaped
        }
        escaped = escaped.replacing("\"", by: "\\(dq")
        return escaped.utf8.contains(UInt8(ascii: " ")) ? "\"\(escaped)\"" : escaped
    }

    /// Text with every sentence on a line of its own, as the formatter wants it.
    static func sentence(_ text: String) -> [String] {
        wrapped(text) { word in
            word.utf8.count > 1 && [".", "!", "?"].contains { word.hasSuffix($0) }
        }
    }

    /// Text in lines that are no longer than the formatter likes.
    static func plain(_ text: String) -> [String] {
        wrapped(text) { _ in false }
    }

    /// A command line for a literal display; a long one goes on in further lines, as in a shell.
    static func literal(_ command: String) -> [String] {
        let lines = DisplayText.wrapped(command, columns: 64)
        return lines.enumerated().map { index, text in
            let end = index + 1 == lines.count ? "" : " \\e"
            return line((index == 0 ? "" : "    ") + text) + end
        }
    }

    /// Bytes of a line of input.
    private static let lineLimit = 78

    private static func wrapped(_ text: String, endsAfter: (String) -> Bool) -> [String] {
        var lines: [String] = []
        var current = ""
        for word in text.split(separator: " ").map(String.init) {
            let longer = current.isEmpty ? word : "\(current) \(word)"
            if !current.isEmpty, line(longer).utf8.count > lineLimit {
                lines.append(line(current))
                current = word
            } else {
                current = longer
            }
            if endsAfter(word) {
                lines.append(line(current))
                current = ""
            }
        }
        return current.isEmpty ? lines : lines + [line(current)]
    }
}
