import ES256
import Testing

@Suite struct ObjectIdentifierTests {
    @Test("the identifiers of P-256 are those of RFC 5480")
    func known() {
        #expect(ObjectIdentifier.ecPublicKey.dotted == "1.2.840.10045.2.1")
        #expect(ObjectIdentifier.p256.dotted == "1.2.840.10045.3.1.7")
    }

    @Test(
        "arcs are told apart",
        arguments: [
            ([0x2B, 0x81, 0x04, 0x00, 0x22], "1.3.132.0.34"), ([0x2B, 0x65, 0x70], "1.3.101.112"),
            ([0x00], "0.0"), ([0x27], "0.39"), ([0x28], "1.0"), ([0x4F], "1.39"), ([0x50], "2.0"),
            ([0x88, 0x37], "2.999"),
        ] as [([UInt8], String)])
    func dotted(contents: [UInt8], text: String) {
        #expect(ObjectIdentifier(contents: contents).dotted == text)
    }

    @Test(
        "what is no whole number of arcs has no text",
        arguments: [[], [0x80], [0x2B, 0x81], [UInt8](repeating: 0xFF, count: 12) + [0x7F]])
    func incomplete(contents: [UInt8]) {
        #expect(ObjectIdentifier(contents: contents).dotted == nil)
    }
}
