/// Reads the elements of a DER text one after another (X.690, 10.1: one length form for each).
///
/// It keeps positions only, so that a text in guarded memory is never copied.
package struct DERReader: Sendable {
    package private(set) var position: Int
    package let end: Int

    package init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    package var isAtEnd: Bool { position == end }
    package var rest: Range<Int> { position..<end }

    /// The tag of the next element, if there is one.
    package func nextTag(in text: Span<UInt8>) -> UInt8? {
        position < end ? text[position] : nil
    }

    /// The range of the next element's contents, and a step past it.
    ///
    /// - Returns: `nil` where the tag is another, the length is not minimal or beyond four bytes,
    ///   or the contents go past the end; the position is then unchanged.
    package mutating func read(_ tag: UInt8, in text: Span<UInt8>) -> Range<Int>? {
        guard end - position >= 2, text[position] == tag else { return nil }
        var start = position + 2
        var count = Int(text[position + 1])
        if count >= 0x80 {
            let digits = count - 0x80
            guard (1...4).contains(digits), end - start >= digits, text[start] != 0
            else { return nil }
            count = 0
            for _ in 0..<digits {
                count = count << 8 | Int(text[start])
                start += 1
            }
            guard count >= 0x80 else { return nil }
        }
        guard count <= end - start else { return nil }
        position = start + count
        return start..<(start + count)
    }

    /// The range of the next element with its tag and length, and a step past it.
    package mutating func skip(in text: Span<UInt8>) -> Range<Int>? {
        let start = position
        guard let tag = nextTag(in: text), read(tag, in: text) != nil else { return nil }
        return start..<position
    }
}

/// The tags that keys are made of.
package enum DERTag {
    package static let integer: UInt8 = 0x02
    package static let bitString: UInt8 = 0x03
    package static let octetString: UInt8 = 0x04
    package static let null: UInt8 = 0x05
    package static let objectIdentifier: UInt8 = 0x06
    package static let sequence: UInt8 = 0x30

    /// A constructed, context-specific tag, as in `[0] EXPLICIT`.
    package static func explicit(_ number: UInt8) -> UInt8 { 0xA0 | number }
    /// A primitive, context-specific tag, as in `[1] IMPLICIT BIT STRING`.
    package static func implicit(_ number: UInt8) -> UInt8 { 0x80 | number }
}
