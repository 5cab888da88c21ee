/// A customer's id somewhere in a text: `cus_` and a letter or digit, not inside a word
/// (offers-and-grants: How a grant travels, an opaque customer id).
enum CustomerIDPattern {
    static func occurs(in text: [UInt8]) -> Bool {
        let mark = Array("cus_".utf8)
        guard text.count > mark.count else { return false }
        for start in 0..<(text.count - mark.count) {
            let isWhole = start == 0 || !isWordByte(text[start - 1])
            if isWhole, text[start...].starts(with: mark),
                text[start + mark.count].isASCIILetterOrDigit
            {
                return true
            }
        }
        return false
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}
