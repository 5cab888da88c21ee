/// Text from documents, made safe for a terminal, and its width in columns.
package enum DisplayText {
    /// The text with every character shown as `\u{…}` that could move the cursor, reorder the
    /// line or end it.
    ///
    /// Control characters (C0, DEL, C1), the line and paragraph separators, and the
    /// bidirectional controls of Unicode (property Bidi_Control).
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Columns that the text takes on a terminal: two for wide characters, none for marks.
    ///
    /// A character's width is the widest of its scalars, so that a letter with its accents and an
    /// emoji made of several scalars count once.
    package static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { sum, character in
            sum + (character.unicodeScalars.map(width(of:)).max() ?? 0)
        }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        return properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }

    /// East Asian Width W and F (Unicode Annex 11), by block.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DF2,
            0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// The text filled with blanks to a width.
    package static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    /// Words wrapped into lines of at most so many columns; a longer word stands alone.
    static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var (line, lineWidth) = ("", 0)
        for word in text.split(separator: " ") {
            let wordWidth = width(String(word))
            if line.isEmpty {
                (line, lineWidth) = (String(word), wordWidth)
            } else if lineWidth + 1 + wordWidth <= columns {
                line += " " + word
                lineWidth += 1 + wordWidth
            } else {
                lines.append(line)
                (line, lineWidth) = (String(word), wordWidth)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// The text as a sentence begins; a name such as `min_sdk` keeps its letters.
    package static func capitalized(_ text: String) -> String {
        let first = text.prefix { $0 != " " }
        let isWord = first.allSatisfy { $0.isLetter || "-',:;/".contains($0) }
        return isWord ? text.prefix(1).uppercased() + text.dropFirst() : text
    }
}
