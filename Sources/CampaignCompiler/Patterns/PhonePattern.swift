/// Something in a text that looks like a phone number.
///
/// An optional `+`, then 9 to 15 digits; between two digits at most one space, dot or dash and
/// at most one bracket. It has to stand by itself: not inside a word, a longer number, a name of
/// a file or a time.
enum PhonePattern {
    static let digits = 9...15

    static func occurs(in text: [UInt8]) -> Bool {
        var index = 0
        while index < text.count {
            guard text[index].isASCIIDigit else {
                index += 1
                continue
            }
            let (end, count) = run(in: text, from: index)
            if digits.contains(count), startsAlone(text, index), endsAlone(text, end) {
                return true
            }
            index = end
        }
        return false
    }

    /// The end of the run of digits and single separators that starts at an index, and its digits.
    private static func run(in text: [UInt8], from start: Int) -> (end: Int, digits: Int) {
        var end = start
        var count = 0
        var index = start
        while index < text.count, text[index].isASCIIDigit {
            count += 1
            end = index + 1
            index = end
            var hasSeparator = false
            var hasBracket = false
            while index < text.count {
                if !hasSeparator, isSeparator(text[index]) {
                    hasSeparator = true
                } else if !hasBracket, isBracket(text[index]) {
                    hasBracket = true
                } else {
                    break
                }
                index += 1
            }
        }
        return (end, count)
    }

    private static func startsAlone(_ text: [UInt8], _ start: Int) -> Bool {
        guard var before = start > 0 ? text[start - 1] : nil else { return true }
        if before == UInt8(ascii: "+") {
            guard start > 1 else { return true }
            before = text[start - 2]
        }
        return !isWordOrJoint(before)
    }

    private static func endsAlone(_ text: [UInt8], _ end: Int) -> Bool {
        guard end < text.count else { return true }
        guard isWordOrJoint(text[end]) || text[end] == UInt8(ascii: ":") else { return true }
        // These end a clause; before a letter or digit they join, as in 18:00 or 1234.png.
        guard ".-/:".utf8.contains(text[end]) else { return false }
        return end + 1 == text.count || !text[end + 1].isASCIILetterOrDigit
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        " .-".utf8.contains(byte)
    }

    private static func isBracket(_ byte: UInt8) -> Bool {
        "()[]".utf8.contains(byte)
    }

    private static func isWordOrJoint(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte >= 0x80 || "_-./#%=&@".utf8.contains(byte)
    }
}
