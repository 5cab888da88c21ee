import ES256
import Testing

@Suite struct ECDSASignatureTests {
    /// A half of a raw signature out of its last bytes.
    private func half(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
    }

    private func integer(_ contents: [UInt8]) -> [UInt8] {
        [0x02, UInt8(contents.count)] + contents
    }

    private func sequence(_ contents: [UInt8]) -> [UInt8] {
        [0x30, UInt8(contents.count)] + contents
    }

    /// Contents of an INTEGER, and the bytes of the number they stand for.
    static let integers: [(contents: [UInt8], number: [UInt8])] = [
        ([0x00], []), ([0x01], [0x01]), ([0x7F], [0x7F]), ([0x00, 0x80], [0x80]),
        ([0x00, 0xFF], [0xFF]), ([0x01, 0x00], [0x01, 0x00]), ([0x7F, 0xFF], [0x7F, 0xFF]),
        ([0x00, 0x80, 0x00], [0x80, 0x00]),
        ([UInt8](repeating: 0x7F, count: 31), [UInt8](repeating: 0x7F, count: 31)),
        ([0x00] + [UInt8](repeating: 0xFF, count: 31), [UInt8](repeating: 0xFF, count: 31)),
        ([0x7F] + [UInt8](repeating: 0, count: 31), [0x7F] + [UInt8](repeating: 0, count: 31)),
        ([0x00] + [UInt8](repeating: 0xFF, count: 32), [UInt8](repeating: 0xFF, count: 32)),
        (
            [0x00, 0x80] + [UInt8](repeating: 0, count: 31),
            [0x80] + [UInt8](repeating: 0, count: 31)
        ),
    ]

    @Test("every boundary of an integer goes both ways, as R and as S", arguments: integers)
    func boundaries(contents: [UInt8], number: [UInt8]) {
        let (other, otherNumber): ([UInt8], [UInt8]) = ([0x00, 0xAB, 0xCD], [0xAB, 0xCD])
        let asR = sequence(integer(contents) + integer(other))
        #expect(ECDSASignature.rawFromDER(asR) == half(number) + half(otherNumber))
        #expect(ECDSASignature.derFromRaw(half(number) + half(otherNumber)) == asR)
        let asS = sequence(integer(other) + integer(contents))
        #expect(ECDSASignature.rawFromDER(asS) == half(otherNumber) + half(number))
        #expect(ECDSASignature.derFromRaw(half(otherNumber) + half(number)) == asS)
    }

    @Test(
        "an integer that is not in its one form is refused, as R and as S",
        arguments: [
            ("no contents", []), ("negative", [0x80]), ("negative, all ones", [0xFF]),
            ("a zero too many before zero", [0x00, 0x00]),
            ("a zero too many", [0x00, 0x7F]), ("two zeros", [0x00, 0x00, 0x80]),
            ("32 bytes, negative", [0x80] + [UInt8](repeating: 0, count: 31)),
            ("33 bytes, 257 bits", [0x01] + [UInt8](repeating: 0, count: 32)),
            ("33 bytes, a zero too many", [0x00, 0x7F] + [UInt8](repeating: 0, count: 31)),
            ("34 bytes", [0x00, 0x00, 0x80] + [UInt8](repeating: 0, count: 31)),
        ] as [(String, [UInt8])])
    func badIntegers(what: String, contents: [UInt8]) {
        let good = integer([0x01])
        let asR = sequence(integer(contents) + good)
        let asS = sequence(good + integer(contents))
        #expect(ECDSASignature.rawFromDER(asR) == nil, "\(what)")
        #expect(ECDSASignature.rawFromDER(asS) == nil, "\(what)")
    }

    @Test(
        "a structure of another form is refused",
        arguments: [
            ("nothing", []), ("half a header", [0x30]), ("empty", [0x30, 0x00]),
            ("one integer", [0x30, 0x03, 0x02, 0x01, 0x01]),
            ("three integers", [0x30, 0x09, 2, 1, 1, 2, 1, 1, 2, 1, 1]),
            ("a byte after the sequence", [0x30, 0x06, 2, 1, 1, 2, 1, 1, 0]),
            ("a byte too few", [0x30, 0x06, 2, 1, 1, 2, 1]),
            ("a length too short", [0x30, 0x05, 2, 1, 1, 2, 1, 1]),
            ("a length too long", [0x30, 0x07, 2, 1, 1, 2, 1, 1]),
            ("a length in two bytes", [0x30, 0x81, 0x06, 2, 1, 1, 2, 1, 1]),
            ("an indefinite length", [0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0]),
            ("a set", [0x31, 0x06, 2, 1, 1, 2, 1, 1]),
            ("an octet string in it", [0x30, 0x06, 4, 1, 1, 2, 1, 1]),
            ("an integer past the end", [0x30, 0x06, 2, 1, 1, 2, 2, 1]),
            ("an integer's length in two bytes", [0x30, 0x07, 2, 0x81, 1, 1, 2, 1, 1]),
        ] as [(String, [UInt8])])
    func badStructures(what: String, der: [UInt8]) {
        #expect(ECDSASignature.rawFromDER(der) == nil, "\(what)")
        #expect(ECDSASignature.rawFromDER([0x30, 0x06, 2, 1, 1, 2, 1, 1]) != nil)
    }

    @Test("only 64 bytes are a raw signature", arguments: [0, 1, 63, 65, 128])
    func rawCount(count: Int) {
        #expect(ECDSASignature.derFromRaw([UInt8](repeating: 1, count: count)) == nil)
        #expect(ECDSASignature.derFromRaw([UInt8](repeating: 1, count: 64)) != nil)
    }

    @Test("every prefix of a signature is refused, and so is every longer one")
    func prefixes() throws {
        let raw = [UInt8](repeating: 0xFF, count: 64)
        let der = try #require(ECDSASignature.derFromRaw(raw))
        #expect(der.count == 72)
        for count in 0..<der.count {
            #expect(ECDSASignature.rawFromDER(Array(der[..<count])) == nil)
        }
        #expect(ECDSASignature.rawFromDER(der + [0]) == nil)
    }
}
