import ES256
import Testing

@Suite struct DERReaderTests {
    private func read(_ tag: UInt8, _ bytes: [UInt8]) -> Range<Int>? {
        var reader = DERReader(0..<bytes.count)
        return reader.read(tag, in: bytes.span)
    }

    private func text(length: [UInt8], count: Int) -> [UInt8] {
        [0x04] + length + [UInt8](repeating: 0, count: count)
    }

    @Test(
        "the shortest form of a length is read",
        arguments: [
            ([0x00], 0), ([0x01], 1), ([0x7F], 127), ([0x81, 0x80], 128), ([0x81, 0xFF], 255),
            ([0x82, 0x01, 0x00], 256), ([0x82, 0xFF, 0xFF], 65535),
            ([0x83, 0x01, 0x00, 0x00], 65536),
        ] as [([UInt8], Int)])
    func lengths(length: [UInt8], count: Int) {
        let start = 1 + length.count
        #expect(read(0x04, text(length: length, count: count)) == start..<(start + count))
        // One byte short.
        guard count > 0 else { return }
        #expect(read(0x04, text(length: length, count: count - 1)) == nil)
    }

    @Test(
        "a longer form is refused",
        arguments: [
            ([0x81, 0x00], 0), ([0x81, 0x7F], 127), ([0x82, 0x00, 0x80], 128),
            ([0x82, 0x00, 0xFF], 255), ([0x83, 0x00, 0x01, 0x00], 256), ([0x80], 0),
            ([0x85, 0x00, 0x00, 0x00, 0x00, 0x01], 1), ([0xFF], 0),
        ] as [([UInt8], Int)])
    func longLengths(length: [UInt8], count: Int) {
        #expect(read(0x04, text(length: length, count: count)) == nil)
    }

    @Test("the largest length that is read goes past every end")
    func hugeLength() {
        #expect(read(0x04, [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x00]) == nil)
    }

    @Test("another tag leaves the reader where it is")
    func otherTag() {
        let bytes: [UInt8] = [0x02, 0x01, 0x05, 0x05, 0x00]
        var reader = DERReader(0..<bytes.count)
        #expect(reader.read(0x04, in: bytes.span) == nil)
        #expect(reader.nextTag(in: bytes.span) == 0x02)
        #expect(reader.read(0x02, in: bytes.span) == 2..<3)
        #expect(reader.skip(in: bytes.span) == 3..<5)
        #expect(reader.isAtEnd)
        #expect(reader.nextTag(in: bytes.span) == nil)
        #expect(reader.skip(in: bytes.span) == nil)
    }
}
