import JOSE
import Testing

@Suite struct CompactJWSTests {
    @Test(
        "three parts are read and written, empty ones too",
        arguments: ["a.b.c", "..", "a..", "é. .\n"])
    func roundTrip(text: String) throws {
        let read = try CompactJWS(parsing: Array(text.utf8))
        #expect(read.serialized() == Array(text.utf8))
    }

    @Test("the parts are what stands between the dots")
    func parts() throws {
        let read = try CompactJWS(parsing: Array("aa.b.cc".utf8))
        #expect(read.protected == Array("aa".utf8))
        #expect(read.payload == Array("b".utf8))
        #expect(read.signature == Array("cc".utf8))
        #expect(read.signingInput == Array("aa.b".utf8))
    }

    @Test(
        "another number of parts is refused",
        arguments: [("", 1), ("a", 1), ("a.b", 2), ("a.b.c.d", 4), ("a.b.c.", 4)])
    func otherCount(text: String, count: Int) {
        #expect(throws: CompactJWSError(partCount: count)) {
            _ = try CompactJWS(parsing: Array(text.utf8))
        }
    }
}
