import StrictJSON
import Testing

@Suite("The longest text")
struct JSONLengthTests {
    @Test("A text of 128 MiB is refused before it is read, one of 1 MiB is not")
    func longest() {
        #expect(refusal([UInt8](repeating: 0x20, count: 1 << 27)) == "json.too-long")
        let text = [UInt8(0x22)] + [UInt8](repeating: 0x61, count: 1 << 20) + [0x22]
        #expect(refusal(text) == nil)
    }
}
