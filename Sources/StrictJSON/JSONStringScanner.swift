/// Finds the end of a string and refuses what may not stand in it.
enum JSONStringScanner {
    /// Moves `index` from the opening quote to the byte after the closing one.
    ///
    /// - Returns: the flags of the string's node.
    @inline(__always)
    static func scan(_ text: Span<UInt8>, _ index: inout Int) throws(JSONFault) -> UInt32 {
        var flags = JSONNode.isCanonical
        index &+= 1
        while true {
            while index &+ 8 <= text.count {
                let marks = JSONWord.specials(JSONWord.load(text, index))
                guard marks == 0 else {
                    index &+= marks.trailingZeroBitCount >> 3
                    break
                }
                index &+= 8
            }
            guard index < text.count else { throw JSONFault(.truncated, text.count) }
            let byte = text[index]
            if byte == UInt8(ascii: "\"") {
                index &+= 1
                return flags
            }
            if byte >= 0x80 {
                try scanMultibytes(text, &index)
            } else if byte == UInt8(ascii: "\\") {
                flags |= JSONNode.isSpecial
                if try !scanEscape(text, &index) { flags &= ~JSONNode.isCanonical }
            } else if byte < 0x20 {
                throw JSONFault(.controlCharacter(byte), index)
            } else {
                // One of the last eight bytes.
                index &+= 1
            }
        }
    }

    /// Moves `index` over characters beyond ASCII as long as one follows the other.
    @inline(never)
    private static func scanMultibytes(
        _ text: Span<UInt8>, _ index: inout Int
    ) throws(JSONFault) {
        var byte = text[index]
        while byte >= 0x80 {
            if byte &- 0xC2 <= 0x1D, index &+ 2 < text.count, text[index &+ 1] & 0xC0 == 0x80 {
                index &+= 2
            } else if byte &- 0xE1 <= 0x0B, index &+ 3 < text.count,
                text[index &+ 1] & 0xC0 == 0x80, text[index &+ 2] & 0xC0 == 0x80
            {
                index &+= 3
            } else {
                try scanMultibyte(text, &index)
                guard index < text.count else { return }
            }
            byte = text[index]
        }
    }

    /// Moves `index` over one character of two to four bytes (RFC 3629 4).
    static func scanMultibyte(_ text: Span<UInt8>, _ index: inout Int) throws(JSONFault) {
        let first = text[index]
        let length: Int
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        case 0xC0...0xC1: throw JSONFault(.invalidUTF8(.overlong), index)
        case 0xF5...0xFD: throw JSONFault(.invalidUTF8(.aboveUnicode), index)
        default: throw JSONFault(.invalidUTF8(.unexpectedByte(first)), index)
        }
        var scalar = UInt32(first) & (0x7F >> UInt32(length))
        for position in index + 1..<index + length {
            guard position < text.count else {
                throw JSONFault(.invalidUTF8(.incomplete), index)
            }
            let byte = text[position]
            guard byte & 0xC0 == 0x80 else { throw JSONFault(.invalidUTF8(.incomplete), index) }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
            guard position == index + 1 else { continue }
            switch (first, byte) {
            case (0xE0, ..<0xA0), (0xF0, ..<0x90):
                throw JSONFault(.invalidUTF8(.overlong), index)
            case (0xED, 0xA0...): throw JSONFault(.invalidUTF8(.surrogate), index)
            case (0xF4, 0x90...): throw JSONFault(.invalidUTF8(.aboveUnicode), index)
            default: break
            }
        }
        guard !JSONString.isNoncharacter(scalar) else {
            throw JSONFault(.noncharacter(scalar), index)
        }
        index += length
    }

    /// Moves `index` over a backslash and what belongs to it (RFC 8259 7).
    ///
    /// - Returns: whether RFC 8785 3.2.2.2 writes the character in the same way.
    @inline(never)
    private static func scanEscape(
        _ text: Span<UInt8>, _ index: inout Int
    ) throws(JSONFault) -> Bool {
        guard index + 1 < text.count else { throw JSONFault(.truncated, text.count) }
        switch text[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
            return true
        case UInt8(ascii: "/"): index += 2
        case UInt8(ascii: "u"): try scanUnicodeEscape(text, &index)
        default: throw JSONFault(.invalidEscape, index)
        }
        return false
    }

    private static func scanUnicodeEscape(
        _ text: Span<UInt8>, _ index: inout Int
    ) throws(JSONFault) {
        let unit = try codeUnit(text, index)
        var scalar = unit
        var length = 6
        if (0xD800...0xDBFF).contains(unit), index + 7 < text.count,
            text[index + 6] == UInt8(ascii: "\\"), text[index + 7] == UInt8(ascii: "u")
        {
            let second = try codeUnit(text, index + 6)
            if (0xDC00...0xDFFF).contains(second) {
                scalar = 0x10000 + (unit & 0x3FF) << 10 + second & 0x3FF
                length = 12
            }
        }
        guard !(0xD800...0xDFFF).contains(scalar) else {
            let isCut =
                index + 6 == text.count
                || (index + 7 == text.count && text[index + 6] == UInt8(ascii: "\\"))
            throw isCut && unit < 0xDC00
                ? JSONFault(.truncated, text.count)
                : JSONFault(.loneSurrogate(UInt16(unit)), index)
        }
        guard !JSONString.isNoncharacter(scalar) else {
            throw JSONFault(.noncharacter(scalar), index)
        }
        index += length
    }

    /// The four digits of the `\u` at `index`.
    private static func codeUnit(_ text: Span<UInt8>, _ index: Int) throws(JSONFault) -> UInt32 {
        guard let unit = JSONString.codeUnit(text, index + 2) else {
            throw JSONFault(index + 6 > text.count ? .truncated : .invalidEscape, index)
        }
        return unit
    }
}
