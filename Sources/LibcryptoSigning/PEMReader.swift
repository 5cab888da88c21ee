import ES256

/// Takes PEM blocks out of a text one after another (RFC 7468, 3, in its strict form but for the
/// length of lines).
///
/// It keeps positions only, so that a text in guarded memory is never copied. Lines end with LF or
/// CRLF.
struct PEMReader {
    private var position = 0
    private var line = 0
    /// The first line outside all blocks that is not blank, if the reader has passed one.
    private(set) var strayLine: Int?

    /// The next block, or `nil` when only lines outside of blocks were left.
    mutating func next(in text: Span<UInt8>) throws(PrivateKeyError) -> PEMBlock? {
        while let range = nextLine(in: text) {
            if let label = Self.label(of: range, boundary: "BEGIN ", in: text) {
                return try block(label: label, in: text)
            }
            let isBlank = range.allSatisfy { text[$0] == 0x20 || text[$0] == 0x09 }
            if !isBlank, strayLine == nil { strayLine = line }
        }
        return nil
    }

    private mutating func block(
        label: Range<Int>, in text: Span<UInt8>
    ) throws(PrivateKeyError) -> PEMBlock {
        let beginLine = line
        let start = position
        while case let lineStart = position, let range = nextLine(in: text) {
            if let closing = Self.label(of: range, boundary: "END ", in: text) {
                guard Self.isEqual(label, closing, in: text) else {
                    throw .malformedPEM(line: line)
                }
                return PEMBlock(label: label, body: start..<lineStart, line: beginLine)
            }
            if range.contains(where: { text[$0] == UInt8(ascii: ":") }) {
                throw Self.startsWith("Proc-Type:", range, in: text)
                    ? .legacyEncryption : .malformedPEM(line: line)
            }
        }
        throw .malformedPEM(line: line)
    }

    /// The next line without its end.
    private mutating func nextLine(in text: Span<UInt8>) -> Range<Int>? {
        guard position < text.count else { return nil }
        let start = position
        var end = start
        while end < text.count, text[end] != 0x0A { end += 1 }
        position = min(end + 1, text.count)
        line += 1
        if end < text.count, end > start, text[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    /// The label of a line `-----BEGIN label-----`.
    private static func label(
        of line: Range<Int>, boundary: StaticString, in text: Span<UInt8>
    ) -> Range<Int>? {
        let opening = "-----\(boundary)"
        guard line.count >= opening.utf8.count + 5, startsWith(opening, line, in: text),
            (line.upperBound - 5..<line.upperBound).allSatisfy({ text[$0] == UInt8(ascii: "-") })
        else { return nil }
        return line.lowerBound + opening.utf8.count..<line.upperBound - 5
    }

    private static func startsWith(
        _ prefix: String, _ range: Range<Int>, in text: Span<UInt8>
    ) -> Bool {
        guard range.count >= prefix.utf8.count else { return false }
        return zip(range, prefix.utf8).allSatisfy { index, byte in text[index] == byte }
    }

    private static func isEqual(
        _ left: Range<Int>, _ right: Range<Int>, in text: Span<UInt8>
    ) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { text[$0] == text[$1] }
    }
}

/// Where a block of PEM stands in its text.
struct PEMBlock {
    let label: Range<Int>
    /// The lines of base64 with their ends.
    let body: Range<Int>
    /// The line of its first boundary, counted from 1.
    let line: Int

    /// The label, which no one takes for a secret.
    func label(in text: Span<UInt8>) -> String {
        String(decoding: label.map { text[$0] }, as: UTF8.self)
    }
}
