/// Numbers as I-JSON restricts them (RFC 7493 2.2).
enum JSONNumber {
    /// 2^53 - 1: up to here doubles are exact integers.
    static let largestInteger: UInt64 = 9_007_199_254_740_991

    /// Moves `index` over a number and refuses one that no double holds.
    ///
    /// - Returns: the flags of its node.
    @inline(__always)
    static func scan(_ text: Span<UInt8>, _ index: inout Int) throws(JSONFault) -> UInt32 {
        let start = index
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative { index &+= 1 }
        let first = index
        var value: UInt64 = 0
        while index < text.count, isDigit(text[index]) {
            // Wraps where there are more than 19 digits, which is looked at below.
            value = value &* 10 &+ UInt64(text[index] & 0x0F)
            index &+= 1
        }
        let digits = index &- first
        guard digits > 0, text[first] != UInt8(ascii: "0") || digits == 1 else {
            throw wrongStart(text, start, index)
        }
        if index == text.count || !continuesNumber(text[index]) {
            guard digits < 17, value <= largestInteger else {
                throw JSONFault(.number(.integerOutOfRange), start)
            }
            return JSONNode.isSpecial | (value == 0 && isNegative ? 0 : JSONNode.isCanonical)
        }
        return try scanFraction(text, &index, start)
    }

    /// A number that does not begin with `0` alone or with another digit.
    private static func wrongStart(_ text: Span<UInt8>, _ start: Int, _ index: Int) -> JSONFault {
        let isMinus = index == start + 1 && text[start] == UInt8(ascii: "-")
        guard isMinus else { return JSONFault(.number(.leadingZero), start) }
        guard index < text.count else { return JSONFault(.truncated, index) }
        let isWord = text[index] == UInt8(ascii: "I") || text[index] == UInt8(ascii: "N")
        return JSONFault(.number(isWord ? .notANumber : .missingDigit), start)
    }

    /// A number with a point or an exponent.
    @inline(never)
    private static func scanFraction(
        _ text: Span<UInt8>, _ index: inout Int, _ start: Int
    ) throws(JSONFault) -> UInt32 {
        try scanRest(text, &index, start)
        let decimal = JSONDecimal(text.extracting(start..<index))
        if decimal.isShort { return decimal.isCanonical ? JSONNode.isCanonical : 0 }
        let double = decimal.double
        guard double.isFinite else { throw JSONFault(.number(.overflow), start) }
        guard double != 0 || decimal.isZero else { throw JSONFault(.number(.underflow), start) }
        // From 2^52 on every double is an integer.
        guard double.magnitude <= Double(largestInteger) else {
            throw JSONFault(.number(.integerOutOfRange), start)
        }
        return 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    /// A byte that would belong to a number or to a word, after digits.
    private static func continuesNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Checks the syntax of what follows the integer part.
    private static func scanRest(
        _ text: Span<UInt8>, _ index: inout Int, _ start: Int
    ) throws(JSONFault) {
        if text[index] == UInt8(ascii: ".") {
            index += 1
            try scanDigits(text, &index, start)
        }
        if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < text.count,
                text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-")
            {
                index += 1
            }
            try scanDigits(text, &index, start)
        }
        guard index == text.count || !continuesNumber(text[index]) else {
            throw JSONFault(.number(.malformed), start)
        }
    }

    private static func scanDigits(
        _ text: Span<UInt8>, _ index: inout Int, _ start: Int
    ) throws(JSONFault) {
        let first = index
        while index < text.count, isDigit(text[index]) {
            index += 1
        }
        guard index > first else {
            throw index == text.count
                ? JSONFault(.truncated, index) : JSONFault(.number(.missingDigit), start)
        }
    }

    /// The value of an integer literal that the reader has accepted.
    static func integer(_ text: Span<UInt8>) -> Int64? {
        var value: Int64 = 0
        var isNegative = false
        for index in text.indices {
            let byte = text[index]
            if byte == UInt8(ascii: "-") {
                isNegative = true
            } else {
                let digit = Int64(byte &- UInt8(ascii: "0"))
                let (product, overflows) = value.multipliedReportingOverflow(by: 10)
                guard !overflows, digit < 10, product <= Int64.max - digit else { return nil }
                value = product + digit
            }
        }
        return isNegative ? -value : value
    }

    /// The double that an accepted number names; never -0.
    static func double(_ text: Span<UInt8>) -> Double {
        JSONDecimal(text).double + 0
    }

    /// Appends a number as ECMAScript's Number::toString writes it (RFC 8785 3.2.2.3); `null` for
    /// what is no number, as JSON.stringify does.
    static func append(_ value: Double, to output: inout [UInt8]) {
        guard value.isFinite else {
            output.append(contentsOf: "null".utf8)
            return
        }
        guard value != 0 else {
            output.append(UInt8(ascii: "0"))
            return
        }
        if value < 0 { output.append(UInt8(ascii: "-")) }
        // The shortest digits that name this double and of those the nearest, as ECMA-262 wants.
        let text = value.magnitude.description
        let decimal = JSONDecimal(text.utf8Span.span)
        let digits = decimal.digits
        // `point` as n in ECMA-262: the value is 0.digits times ten to the power of point.
        let count = digits.count
        let point = decimal.exponent + count
        switch point {
        case count...max(count, 21):
            output += digits
            output += repeatElement(UInt8(ascii: "0"), count: point - count)
        case 1...21:
            output += digits[..<point]
            output.append(UInt8(ascii: "."))
            output += digits[point...]
        case -5...0:
            output.append(contentsOf: "0.".utf8)
            output += repeatElement(UInt8(ascii: "0"), count: -point)
            output += digits
        default:
            output += digits[..<1]
            if count > 1 {
                output.append(UInt8(ascii: "."))
                output += digits[1...]
            }
            output.append(UInt8(ascii: "e"))
            output.append(point > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-"))
            output.append(contentsOf: (point - 1).magnitude.description.utf8)
        }
    }
}
