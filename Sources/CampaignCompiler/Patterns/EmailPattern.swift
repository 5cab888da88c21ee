/// An e-mail address somewhere in a text (RFC 5321 4.1.2, as far as one is recognised in prose).
///
/// A dotted host or an address literal after the sign, something that can end a local part
/// before it. `%40` counts as the sign, since links hold addresses that way. Names of images
/// for dense screens, such as `icon@2x.png`, are none.
enum EmailPattern {
    static func occurs(in text: [UInt8]) -> Bool {
        var index = 0
        while index < text.count {
            let length = signLength(in: text, at: index)
            if length > 0, index > 0, endsLocalPart(text[index - 1]),
                hostStarts(in: text, at: index + length)
            {
                return true
            }
            index += max(length, 1)
        }
        return false
    }

    /// The bytes of the sign that stands at an index, 0 where none does.
    private static func signLength(in text: [UInt8], at index: Int) -> Int {
        if text[index] == UInt8(ascii: "@") { return 1 }
        if text[index...].starts(with: "%40".utf8) { return 3 }
        // U+FF20, the full-width form, which people type and mail programs read.
        if text[index...].starts(with: [0xEF, 0xBC, 0xA0]) { return 3 }
        return 0
    }

    private static func endsLocalPart(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte >= 0x80 || "!#$%&'*+/=?^_`{|}~-.\"".utf8.contains(byte)
    }

    private static func hostStarts(in text: [UInt8], at start: Int) -> Bool {
        guard start < text.count else { return false }
        if text[start] == UInt8(ascii: "[") { return isAddressLiteral(text[(start + 1)...]) }
        let host = text[start...].prefix { byte in
            byte.isASCIILetterOrDigit || byte >= 0x80 || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".")
        }
        var labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }), let last = labels.last,
            last.count >= 2, let first = last.first, first.isASCIILetter || first >= 0x80
        else { return false }
        return !isImageForDenseScreens(labels)
    }

    private static func isAddressLiteral(_ text: ArraySlice<UInt8>) -> Bool {
        // No address is longer, and a text full of brackets is not read to its end for each.
        let text = text.prefix(64)
        guard let first = text.first, let end = text.firstIndex(of: UInt8(ascii: "]")) else {
            return false
        }
        return (first.isASCIIDigit || text.starts(with: "IPv6:".utf8)) && end > text.startIndex
    }

    private static let imageEndings = ["png", "jpg", "jpeg", "webp", "gif", "svg", "heic", "avif"]

    private static func isImageForDenseScreens(_ labels: [ArraySlice<UInt8>]) -> Bool {
        guard labels.count == 2, labels[0].count == 2,
            let digit = labels[0].first, digit.isASCIIDigit,
            labels[0].last == UInt8(ascii: "x")
        else { return false }
        return imageEndings.contains { $0.utf8.elementsEqual(labels[1]) }
    }
}
