import PublishProtocol
import Testing

@Suite struct ContentDigestTests {
    @Test func `Hexadecimal digits survive the way in and out`() throws {
        let hex = "0123456789abcdef00ff00ff00ff00ffdeadbeefdeadbeeffedcba9876543210"
        let digest = try #require(ContentDigest(hex: hex))
        #expect(digest.hex == hex)
        #expect(digest.prefix == "0123456789abcdef")
    }

    @Test(arguments: [
        "", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "A", count: 64), String(repeating: "g", count: 64),
    ])
    func `Anything but 64 lower-case digits is refused`(_ text: String) {
        #expect(ContentDigest(hex: text) == nil)
    }

    @Test func `Bytes are taken most significant first and only by 32`() throws {
        let digest = try #require(ContentDigest(bytes: Array(0..<32)))
        #expect(digest.hex.hasPrefix("000102030405060708"))
        #expect(ContentDigest(bytes: Array(0..<31)) == nil)
        #expect(ContentDigest(bytes: Array(0..<33)) == nil)
    }

    @Test func `Order is that of the numbers`() {
        #expect(ContentDigest(number: 1) < ContentDigest(number: 2))
        #expect(!(ContentDigest(number: 2) < ContentDigest(number: 2)))
    }
}
